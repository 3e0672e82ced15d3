/** Names that Windows takes for a device, whatever stands behind their first dot. */
const devices = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\.|$)/;
/** A colon names a second content of a file on Windows; a control character can hide what a name is. */
const refused = /[\p{Cc}\\:]/u;

/** No file system has longer ones; and what is looked for below takes the square of it. */
const longest = 255;

/** A name as the most forgiving file system reads it: `.GIT`, `.git.` and one with a character that cannot be seen are `.git`. */
export function plainName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\p{Cf}/gu, '');
  return plain.replace(/[. ]+$/, '') || plain;
}

/**
 * Whether a name can be one file or directory below a folder, on every system: it leads to no other place, is no device,
 * and is nothing of git's own, which decides what git runs.
 */
export function isSafeName(name: string): boolean {
  if (name.length > longest) return false;
  const plain = plainName(name);
  if (refused.test(name) || /^[. ]*$/.test(plain) || ['.git', 'git~1'].includes(plain)) return false;
  return !devices.test(
    name
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/ +(?=\.|$)/g, ''),
  );
}
