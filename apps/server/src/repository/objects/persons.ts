/** Without `offsetMinutes` the time zone is UTC. */
export type Person = { name: string; email: string; at: Date; offsetMinutes?: number };

/** The end of the year 9999. Git also shows a time outside its range as the epoch. */
const lastSecond = 253_402_300_799;

/**
 * Encodes `name <email> seconds +hhmm`. Name and email are cleaned as git does it. If nothing is left of the name, git
 * would refuse the commit. So the email replaces the name, and a user called `"` can still save a file.
 */
export function encodePerson({ name, email, at, offsetMinutes = 0 }: Person): string {
  const seconds = Math.floor(at.getTime() / 1000);
  if (!(seconds >= 0 && seconds <= lastSecond)) throw new RangeError('a commit needs a time between 1970 and 9999');
  const address = withoutCrud(email);
  return `${withoutCrud(name) || address} <${address}> ${seconds} ${encodeOffset(offsetMinutes)}`;
}

/**
 * Decodes a person. Never throws. Real histories contain people without brackets, without times and with invalid time
 * zones, and git shows all of them. Missing parts become empty, the epoch or UTC.
 */
export function decodePerson(text: string): Required<Person> {
  const open = text.indexOf('<');
  const close = text.indexOf('>', open);
  if (open === -1 || close === -1) return { name: text.trim(), email: '', at: new Date(0), offsetMinutes: 0 };
  const time = /^ *(\d+)(?: +([+-])(\d\d)(\d\d)$)?/.exec(text.slice(text.lastIndexOf('>') + 1));
  const seconds = Number(time?.[1] ?? 0);
  const minutes = Number(time?.[3] ?? 0) * 60 + Number(time?.[4] ?? 0);
  return {
    name: text.slice(0, open).trim(),
    email: text.slice(open + 1, close).trim(),
    at: new Date(seconds <= lastSecond ? seconds * 1000 : 0),
    offsetMinutes: time?.[2] === '-' && minutes > 0 ? -minutes : minutes,
  };
}

function encodeOffset(minutes: number): string {
  const size = Math.abs(minutes);
  if (!Number.isInteger(minutes) || size >= 6000) throw new RangeError(`${minutes} is not a valid time zone offset`);
  const digits = Math.floor(size / 60) * 100 + (size % 60);
  return `${minutes < 0 ? '-' : '+'}${String(digits).padStart(4, '0')}`;
}

/**
 * Git's rule: crud is removed from both ends, and `<`, `>` and line ends from anywhere. A dot is not crud. Older
 * versions of git removed dots from the ends too, so "Jr." became "Jr".
 */
function withoutCrud(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isCrud(text, start)) start++;
  while (end > start && isCrud(text, end - 1)) end--;
  return text
    .slice(start, end)
    .replaceAll(/[<>\n]/g, '')
    .replaceAll('\0', '');
}

function isCrud(text: string, position: number): boolean {
  return text.charCodeAt(position) <= 0x20 || ',:;<>"\\\''.includes(text.charAt(position));
}
