// Words of tables: what programs and people call columns, priorities and states, in English and Chinese and, as far as spreadsheets and
// Outlook write them, in German, French and Spanish. Case, blanks and signs between words make no difference.

enum CSVWords {
    /// The field that a column's name means; nil for a name that is not known.
    static func field(_ name: String) -> ColumnField? { fields[key(name)] }

    /// The priority that a word means. Digits are ours where `digitsAreOurs`.
    static func priority(_ word: String, digitsAreOurs: Bool) -> Priority? {
        if let priority = Priority(word: word) { return priority }
        let key = key(word)
        if digitsAreOurs, let number = Int(digits: key.utf8), let priority = Priority(rawValue: number) { return priority }
        return priorities[key] ?? (["!", "!!", "!!!"].firstIndex(of: word).flatMap { Priority(rawValue: $0) })
    }

    /// Whether a word means done: also a box that is ticked, or a percentage.
    static func status(_ word: String) -> TaskStatus? {
        if let status = TaskStatus(word: word) { return status }
        let key = key(word)
        if pending.contains(key) { return .pending }
        if completed.contains(key) { return .completed }
        let digits = key.hasSuffix("%") ? String(key.dropLast()) : key
        guard let percent = Int(digits: digits.utf8), percent <= 100 else { return nil }
        return percent == 100 ? .completed : .pending
    }

    /// Yes or no.
    static func flag(_ word: String) -> Bool? {
        let key = key(word)
        return trueWords.contains(key) ? true : falseWords.contains(key) ? false : nil
    }

    /// Small letters and digits without what stands between them.
    private static func key(_ name: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in Folding.caseFold(name).unicodeScalars {
            let properties = scalar.properties
            let isWord = scalar.isASCII ? (0x30...0x39 ~= scalar.value || 0x61...0x7A ~= scalar.value) : properties.isAlphabetic
            if isWord || scalar == "%" || "✓✔☑★⭐√".unicodeScalars.contains(scalar) { result.append(scalar) }
        }
        return String(result)
    }

    private static func table<Value>(_ rows: [(Value, String)]) -> [String: Value] {
        var table: [String: Value] = [:]
        for (value, words) in rows {
            for word in words.split(separator: " ") { table[String(word)] = value }
        }
        return table
    }

    private static let fields: [String: ColumnField] = table([
        (
            .title,
            """
            title task taskname tasktitle name subject summary todo item what 标题 標題 任务 任務 任务名 任务名称 任务标题 名称 主题 主旨 事项 \
            待办 待办事项 titel aufgabe betreff titre tâche objet título titulo tarea asunto
            """
        ),
        (
            .content,
            """
            content description notes note details detail body text comment comments memo 内容 內容 描述 备注 備註 说明 說明 详情 笔记 注释 \
            正文 beschreibung notizen notiz inhalt remarques notas descripción descripcion contenu contenido
            """
        ),
        (.priority, "priority importance prio urgency 优先级 優先級 优先 重要性 重要程度 priorität wichtigkeit priorité prioridad importancia"),
        (
            .status,
            """
            status state done completed iscompleted complete isdone finished checked %complete percentcomplete progress 状态 狀態 完成 \
            是否完成 已完成 完成状态 完成百分比 进度 erledigt état statut estado hecho terminé
            """
        ),
        (
            .category,
            """
            category categories list listname project projectname folder area group 分类 分類 类别 類別 清单 清單 列表 项目 項目 分组 文件夹 \
            kategorie kategorien liste projekt catégorie catégories projet categoría categorías proyecto
            """
        ),
        (.tags, "tags tag labels label contexts context keywords 标签 標籤 关键词 schlagwörter étiquettes etiquetas"),
        (
            .due,
            """
            due duedate dueat dueon deadline date duedatetime enddate 截止 截止日期 截止时间 截止日 到期 到期日 到期日期 到期时间 日期 期限 \
            fällig fälligam fälligkeitsdatum fälligkeit échéance datedéchéance vencimiento fechadevencimiento fecha datum
            """
        ),
        (.dueTime, "duetime time 时间 時間 uhrzeit heure hora"),
        (.id, "id uuid uid taskid guid identifier 编号 標識 标识 标识符"),
        (.pinned, "pinned ispinned starred star flagged favorite isfavorite favourite 置顶 是否置顶 星标 收藏 angeheftet épinglé fijado"),
        (.version, "version"),
        (
            .created,
            """
            created createdat createddate datecreated creationdate createdtime createdon dateadded added addedat 创建时间 创建日期 建立时间 创建于 \
            添加时间 erstellt erstelltam créé créele creado
            """
        ),
        (
            .updated,
            """
            updated updatedat modified modifiedat lastmodified modificationdate lastupdated datemodified 修改时间 更新时间 修改日期 更新日期 \
            最后修改 geändert geändertam modifié modificado
            """
        ),
        (
            .completed,
            """
            completedat completeddate datecompleted completiondate completedtime completedon doneat finishedat 完成时间 完成日期 完成于 \
            erledigtam terminéle completado
            """
        ),
    ])

    private static let priorities: [String: Priority] = table([
        (
            .high,
            "high h urgent critical important highest veryhigh asap top p1 a 高 最高 紧急 重要 高优先级 很高 hoch haute élevée alta"
        ),
        (.medium, "medium m normal none med moderate average p2 p3 b 中 中等 普通 一般 正常 无 中优先级 mittel moyenne normale media"),
        (.low, "low l lowest verylow minor p4 c 低 最低 不重要 低优先级 niedrig gering basse faible baja"),
    ])

    private static let pending = Set(
        """
        pending open todo notstarted inprogress needsaction active new started doing waiting waitingonsomeoneelse deferred incomplete \
        uncompleted no false n 0 off 未完成 待办 未开始 进行中 正在进行 待处理 否 未 等待 推迟 已推迟 等待其他人 offen nichtbegonnen inbearbeitung falsch nein \
        faux non noniniciada noiniciada enprogreso falso
        """.split(separator: " ").map(String.init))

    private static let completed = Set(
        """
        completed complete done finished closed yes true y 1 x on resolved checked ticked ✓ ✔ ☑ √ 已完成 完成 完 是 已 已关闭 erledigt \
        abgeschlossen wahr ja terminé vrai oui completada completado hecho verdadero sí
        """.split(separator: " ").map(String.init))

    private static let trueWords = Set(
        "true yes y 1 x on 是 真 已置顶 wahr ja vrai oui verdadero sí ★ ⭐ ✓ ✔ ☑".split(separator: " ").map(String.init))
    private static let falseWords = Set("false no n 0 off 否 假 falsch nein faux non falso".split(separator: " ").map(String.init))
}
