// Makes the pages quicker; each of them works without this file. Forms of a list are sent by fetch, and the server's own HTML of the
// answer takes the place of what is shown: nothing is rendered here. Whatever goes wrong falls back to sending the form plainly.
// Acts on no key while an input method composes or text can be typed.

const $ = (selector, root = document) => root.querySelector(selector)
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)]
// Where Docket lies on its host: nothing, or the folder that a proxy gave it.
const base = new URL('..', import.meta.url).pathname.slice(0, -1)
const FIELD = 'input:not([type="checkbox"], [type="radio"]), select, textarea'

const rows = () => $$('#list li')
const idOf = row => $('[name="id"]', row)?.value
const rowOf = id => rows().find(row => idOf(row) === id)
const link = row => $('a', row)
/// Where the focus goes that has no place any more: never into a field, where the next key would be typed.
const first = () => link(rows()[0] || $('#main')) || $('#main')
const currentRow = () => document.activeElement?.closest('#list li')

function say(text) {
  const live = $('#live')
  live.textContent = ''
  if (text) setTimeout(() => { live.textContent = text }, 50)
}

/* Showing the server's answer */

/// Puts the main part and the side bar of `page` in place, keeping what is typed and selected, the focus and the place on the screen.
function show(page, from) {
  const main = $('#main', page), side = $('#side', page)
  if (!main || !side) throw new Error('not one of our pages')
  const active = document.activeElement, row = active?.closest('#list li'), order = rows(), at = order.indexOf(row)
  const keep = { id: row && idOf(row), control: row && [...row.children].indexOf(active), field: active?.id, side: active?.closest('#side a')?.getAttribute('href') }
  const selected = from?.matches('#list') ? [] : $$('[name="id"]:checked').map(box => box.value)
  const picking = $('#picking')?.checked
  const near = at < 0 ? order : [...order.slice(at + 1), ...order.slice(0, at).reverse()]
  const tops = near.map(other => [idOf(other), other.getBoundingClientRect().top])

  const add = $('.add'), freshAdd = $('.add', main)
  if (add && freshAdd && !from?.matches('.add')) freshAdd.replaceWith(add)
  $('#main').replaceChildren(...main.childNodes)
  if (main.dataset.revision) $('#main').dataset.revision = main.dataset.revision
  $('#side').replaceChildren(...side.childNodes)
  document.title = page.title
  if (picking && $('#picking')) $('#picking').checked = true
  for (const id of selected) { const again = rowOf(id); if (again) $('[name="id"]', again).checked = true }

  const anchor = tops.find(([id, top]) => rowOf(id) && top > -200)
  if (anchor) scrollBy({ top: rowOf(anchor[0]).getBoundingClientRect().top - anchor[1], behavior: 'instant' })
  let target = keep.field && document.getElementById(keep.field)
  if (keep.id) {
    const again = rowOf(keep.id)
    target = again ? again.children[keep.control] : tops.map(([id]) => rowOf(id)).find(Boolean)?.children[keep.control]
  }
  if (keep.side) target = $$('#side a').find(a => a.getAttribute('href') === keep.side)
  if (from?.matches('.add')) target = $('#add')
  if (from || keep.id) target ||= first()
  target?.focus({ preventScroll: true })
  say($('.notice p, p.notice')?.textContent || $('#main .err')?.textContent)
}

async function load(address, options) {
  const headers = { Accept: 'text/html', ...!options && { 'X-Background': 1 } } // what was done is told where it was done
  const answer = await fetch(address, { headers, ...options })
  const url = new URL(answer.url)
  if (answer.redirected && url.pathname !== location.pathname) {
    if (options) location.assign(answer.url) // else they may be writing
    return null
  }
  if (!answer.ok && answer.status !== 422) throw new Error(answer.status)
  return new DOMParser().parseFromString(await answer.text(), 'text/html')
}

/* Forms */

let plain = false, busy = false

addEventListener('submit', async event => {
  const form = event.target, button = event.submitter
  if (plain || !form.matches('.add, #list, .notice')) return
  event.preventDefault()
  if (busy) return
  busy = true
  const body = new URLSearchParams(new FormData(form))
  if (button?.name) body.append(button.name, button.value)
  try {
    const page = await load(button?.getAttribute('formaction') || form.getAttribute('action'), { method: 'POST', body })
    if (page) show(page, form)
  } catch {
    await new Promise(later => setTimeout(later)) // a form does not submit from within its own submit event
    plain = true
    if (button && !button.isConnected) form.append(button)
    form.requestSubmit(button)
  } finally { busy = false }
})

/// How the marked words of a new task are read, told beside the field while they are typed.
let telling
addEventListener('input', event => {
  const field = event.target, title = field.value
  if (field.id !== 'add') return
  clearTimeout(telling)
  if (!/(^|\s)[!#^*！＃＾＊]/.test(title)) { $('#told').textContent = ''; return }
  telling = setTimeout(async () => {
    try {
      const page = await load(`${$('.add a').href}?lines=${encodeURIComponent(title)}`)
      if (page && $('#add')?.value === title) $('#told').textContent = $('#read .hint', page)?.textContent ?? ''
    } catch { /* it is read all the same when it is added */ }
  }, 200)
})

/// Several lines pasted are several tasks: the server shows how they are read.
addEventListener('paste', event => {
  const field = event.target, text = event.clipboardData?.getData('text/plain') ?? ''
  if (field.id !== 'add' || text.trim().split(/\s*[\r\n]\s*/).length < 2) return
  event.preventDefault()
  const form = document.createElement('form'), lines = document.createElement('textarea')
  Object.assign(form, { method: 'post', action: $('.add a').href, hidden: true })
  Object.assign(lines, { name: 'lines', value: field.value + text })
  form.append(lines, $('.add [name="next"]').cloneNode())
  document.body.append(form)
  form.submit()
})

addEventListener('change', event => {
  const field = event.target
  if (field.matches('.find select')) field.form.requestSubmit()
  if (field.matches('[name="theme"]')) document.documentElement.dataset.theme = field.value
  if (field.matches('[name="text_size"]')) document.documentElement.dataset.text = field.value
})

/// A range of tasks with Shift.
let lastBox = null
addEventListener('click', event => {
  const box = event.target
  if (!box.matches?.('#list [name="id"]')) return
  const boxes = $$('#list [name="id"]'), a = boxes.findIndex(other => other.value === lastBox), b = boxes.indexOf(box)
  if (event.shiftKey && a >= 0) for (const other of boxes.slice(Math.min(a, b), Math.max(a, b) + 1)) other.checked = box.checked
  lastBox = box.value
})

/// The count of a filter while it is composed.
let waiting
addEventListener('input', event => {
  const form = event.target.closest?.('.compose')
  if (!form || event.target.name === 'name') return
  clearTimeout(waiting)
  waiting = setTimeout(async () => {
    try {
      const query = new URLSearchParams(new FormData(form))
      const page = await load(`${form.getAttribute('action')}?${query}`), count = page && $('#count', page)
      if (count) $('#count').replaceChildren(...count.childNodes)
    } catch { /* the button still counts */ }
  }, 250)
})

const zone = $('select[data-guess]')
if (zone) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  if ([...zone.options].some(option => option.value === own)) zone.value = own
}

/* Changes made elsewhere */

const liveAddress = $('#main')?.dataset.live
if (liveAddress && $('#list, .empty')) {
  // The newest revision that was heard of: what this window did itself it shows already.
  let newest = 0, source = null
  const engaged = () => {
    const field = document.activeElement
    return busy || $('dialog[open], .rows :checked, .add :focus:not(#add)') || field?.matches(FIELD) && (field.id !== 'add' || field.value !== '')
  }
  const refresh = async () => {
    if (newest <= Number($('#main').dataset.revision) || engaged() || document.hidden) return
    newest = 0
    try {
      const page = await load(location.href)
      if (!engaged()) page ? show(page) : location.reload()
    } catch { /* the page stays as it is until the next change */ }
  }
  // A browser has six connections to a host: windows that nobody looks at leave theirs to others, and look again when they are shown.
  const listen = () => {
    if (document.hidden) {
      source?.close()
      source = null
    } else if (!source) {
      source = new EventSource(liveAddress)
      source.addEventListener('change', event => { newest = Math.max(newest, Number(event.data)); refresh() })
    }
  }
  listen()
  addEventListener('focusout', () => setTimeout(refresh, 300))
  addEventListener('visibilitychange', () => {
    if (!document.hidden && !source) newest = Infinity
    listen()
    refresh()
  })
}

/* Keys */

async function help() {
  let dialog = $('dialog')
  if (!dialog) {
    const page = await load(base + '/help'), keys = page && $('.keys', page)
    if (!keys) return location.assign(base + '/help')
    dialog = document.createElement('dialog')
    const heading = page.getElementById('keys'), form = document.createElement('form'), close = document.createElement('button')
    heading.id = 'keys-title'
    dialog.setAttribute('aria-labelledby', heading.id)
    form.method = 'dialog'
    close.textContent = keys.dataset.close
    form.append(close)
    dialog.append(heading, keys, form)
    document.body.append(dialog)
  }
  dialog.showModal()
}

function move(by) {
  const all = rows(), at = all.indexOf(currentRow())
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1)]
  if (next) { link(next).focus(); next.scrollIntoView({ block: 'nearest' }) }
}

/// Acts on what is selected, else on the row with the focus.
function act(bulk, own) {
  const chosen = $('.rows :checked') && bulk.map(value => $(`.bulk [value="${value}"]`)).find(Boolean)
  if (chosen) chosen.click()
  else if (currentRow()) own(currentRow())
}

function trash(row) {
  const button = document.createElement('button'), list = $('#list')
  button.setAttribute('formaction', link(row).pathname + '/trash')
  button.hidden = true
  list.append(button)
  list.requestSubmit(button)
  button.remove()
}

const isTasks = () => $('.rows')
const keys = {
  n: () => $('#add') ? $('#add').focus() : location.assign(base + '/tasks/new'),
  '/': () => $('[type="search"]') ? $('[type="search"]').focus() : location.assign(base + '/tasks'),
  j: () => move(1),
  k: () => move(-1),
  x: () => { const row = currentRow(); if (row) $('[name="id"]', row).click() },
  c: () => isTasks() && act(['complete', 'reopen'], row => $('button', row).click()),
  e: () => { const row = currentRow(); if (row) link(row).click() },
  p: () => isTasks() && act(['pin'], row => $('button:last-of-type', row).click()),
  '#': () => isTasks() && act(['trash'], trash),
  u: () => $('.notice button')?.click(),
  '?': () => help().catch(() => location.assign(base + '/help')),
}
const places = { t: '/tasks?due=today', d: '/dashboard', f: '/filters' }

let going = 0
addEventListener('keydown', event => {
  const target = event.target
  if (event.isComposing || event.keyCode === 229 || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  if (event.key === 'Enter' && target.matches('.compose [name="name"]')) {
    event.preventDefault()
    $('.name button', target.form).click()
    return
  }
  if ($('dialog[open], #side:popover-open')) return
  if (target.matches(FIELD)) {
    if (event.key === 'Escape' && (target.type !== 'search' || !target.value)) first().focus()
    return
  }
  if (event.key === 'Escape') {
    for (const box of $$('.rows :checked')) box.checked = false
    return
  }
  if (!$('#side')) return
  const go = going && event.timeStamp - going < 1500
  going = 0
  if (go && places[event.key]) location.assign(base + places[event.key])
  else if (event.key === 'g') { going = event.timeStamp; return }
  else if (keys[event.key]) keys[event.key]()
  else return
  event.preventDefault()
})
