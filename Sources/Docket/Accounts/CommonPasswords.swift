// The passwords that every guesser tries first, as far as the rule's eight characters let them through: from lists of leaked passwords
// that have been published for years. Letters count without their case. A short list on purpose: it stops the worst, and the throttle
// slows what lies beyond.

enum CommonPasswords {
    /// True for a prepared password that stands in the list.
    static func contains(_ prepared: [UInt8]) -> Bool {
        guard prepared.count <= longest else { return false }
        return all.contains(prepared.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
    }

    private static let longest = 32
    private static let all = Set(words.utf8.split(separator: 0x20).map(Array.init))

    private static let words = """
        12345678 123456789 1234567890 0123456789 123123123 987654321 9876543210 87654321 11111111 111111111 1111111111 \
        00000000 000000000 0000000000 22222222 33333333 44444444 55555555 66666666 77777777 88888888 888888888 \
        8888888888 99999999 999999999 12341234 123412341234 12121212 11223344 1122334455 112233445566 11112222 \
        12344321 123454321 123321123 123456123456 147258369 1472583690 159753456 159357258 741852963 789456123 \
        456789123 123654789 987456321 147852369 31415926 3141592653 14159265 20202020 19871987 01234567 012345678 \
        23456789 34567890 12345679 123456780 123456788 1234567a 12345678a 123456789a 1234567890a a12345678 a123456789 \
        a1234567 a1b2c3d4 a1b2c3d4e5 abcd1234 abc12345 abc123456 abc123abc aa123456 aa12345678 qq123456 qq123456789 \
        as123456 asd12345 asd123456 asdf1234 asdfasdf asdfghjk asdfghjkl asdasdasd qwer1234 qwerqwer qwerty12 \
        qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertyui qwertyuiop qweasdzxc qwe123456 qweqweqwe q1w2e3r4 \
        q1w2e3r4t5 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 zaq12wsx zaq1zaq1 qazwsxedc \
        qazwsx123 zxcvbnm123 zxcvbnm1 zxcv1234 zxczxczxc password password1 password12 password123 password1234 \
        password! password1! p@ssword p@ssw0rd p@ssw0rd1 p@55w0rd passw0rd passw0rd1 pass1234 pass12345 passpass \
        passwort passwort1 motdepasse contraseña letmein1 letmein123 welcome1 welcome12 welcome123 welcome! welcome1! \
        changeme changeme1 changeme123 changeit default1 secret123 admin123 admin1234 admin12345 admin123456 \
        administrator adminadmin root1234 rootroot user1234 useruser test1234 test12345 testtest testtest1 testing1 \
        testing123 guest1234 temp1234 demo1234 login123 access14 master123 superman superman1 batman123 spiderman \
        starwars starwars1 pokemon1 pokemon123 nintendo minecraft football football1 baseball baseball1 basketball \
        softball1 liverpool liverpool1 chelsea1 arsenal1 barcelona realmadrid juventus manchester iloveyou iloveyou1 \
        iloveyou2 iloveyou! iloveu12 loveyou1 lovelove loveme123 woaini123 woaini520 woaini1314 5201314520 520131400 \
        wo123456 woaiwojia wang1234 zhang123 li123456 china123 sunshine sunshine1 princess princess1 butterfly \
        chocolate cheesecake strawberry computer computer1 internet samsung1 samsung123 google123 facebook facebook1 \
        linkedin microsoft whatever whatever1 trustno1 michael1 michelle jennifer jessica1 jonathan charlie1 elizabeth \
        alexander victoria nicholas benjamin danielle patricia margaret stephanie christian veronica valentina \
        francesco alejandro hallo123 hallo1234 schatz123 ficken123 deutschland sommer2024 sommer2025 winter2024 \
        winter2025 summer2023 summer2024 summer2025 summer2026 spring2024 spring2025 autumn2024 autumn2025 monday123 \
        september november december january1 blink182 metallica slipknot1 mercedes corvette mustang1 porsche1 ferrari1 \
        yamaha123 dragon12 dragon123 monkey12 monkey123 shadow12 shadow123 killer12 killer123 hunter12 hunter123 \
        ninja123 matrix123 cookie123 flower123 freedom1 newyork1 london123 paris123 asshole1 fuckyou1 fuckyou2 \
        fuckyouall bullshit jesus123 jesuschrist godisgood blessed1 godbless1 hello123 hello1234 hello12345 helloworld \
        hellohello abcdefgh abcdefg1 abcdefghi abcdefghij abcabcabc aaaaaaaa aaaaaaaaaa zzzzzzzz xxxxxxxx qqqqqqqq
        """
}
