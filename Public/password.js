// Tells beside the field how strong a new password is while it is typed: the estimate of `PasswordStrength.swift`, and nothing is sent. The
// server tells it too, once the password is taken, and refuses the common ones; without this file nothing else changes.

const keys = new Map()
for (const rows of ['1234567890-=\nqwertyuiop[]\nasdfghjkl;\'\nzxcvbnm,./', '!@#$%^&*()_+\nQWERTYUIOP{}\nASDFGHJKL:"\nZXCVBNM<>?'])
  rows.split('\n').forEach((row, at) => [...row].forEach((key, column) => keys.set(key.codePointAt(0), 16 * at + column)))

const touch = (a, b) => [1, 15, 16].includes(Math.abs(keys.get(a) - keys.get(b)))
const isDigit = scalar => scalar > 47 && scalar < 58

function isForeseen(all, at) {
  const row = third => {
    const [a, b, c] = all.slice(third - 2, third + 1)
    return third > 1 && third < all.length && (isDigit(a) && isDigit(b) && isDigit(c) && b - a === c - b || touch(a, b) && touch(b, c))
  }
  const again = period => at >= 2 * period - 1 && [...Array(period).keys()].every(back => all[at - back] === all[at - back - period])
  return at > 0 && (Math.abs(all[at] - all[at - 1]) < 2 || row(at) || row(at + 1) || [2, 3, 4].some(again))
}

const bitsOf = scalar => isDigit(scalar) ? 3 : scalar > 96 && scalar < 123 || scalar === 32 ? 3.5 : scalar > 64 && scalar < 91 ? 4.5 : scalar < 128 ? 5 : 8

const kind = scalar => scalar > 64 && scalar < 91 ? 1 : scalar > 96 && scalar < 123 || scalar > 127 || '@4013$5!7'.includes(String.fromCodePoint(scalar)) ? 0
  : isDigit(scalar) ? 2 : 3

// The characters that people see; code points where a browser cannot tell them.
const split = text => Intl.Segmenter ? [...new Intl.Segmenter().segment(text)].map(one => one.segment) : [...text]

function strength(text) {
  const characters = split(text.normalize('NFKC').replace(/\p{Zs}/gu, ' '))
  const all = characters.map(one => [...one].length > 1 ? 0x200000 + 2 * characters.indexOf(one) : one.codePointAt(0))
  const bits = all.reduce((sum, scalar, at) => sum + (isForeseen(all, at) ? 0 : bitsOf(scalar)), 0)
  const isMixed = 5 * all.filter((scalar, at) => at && kind(scalar) !== kind(all[at - 1])).length >= 2 * all.length
  const sum = isMixed ? bits + 2 * all.length : bits
  return sum < 45 ? 'weak' : sum < 70 ? 'fair' : 'strong'
}

const told = document.getElementById('strength'), field = document.querySelector('[autocomplete="new-password"]')
const tell = () => {
  const text = split(field.value).length < 8 ? '' : told.dataset[strength(field.value)]
  if (told.textContent !== text) told.textContent = text
}
field.addEventListener('input', tell)
tell()
