/** Names that Windows treats as a device, whatever follows their first dot. */
const devices = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\.|$)/;
/**
 * Characters that are refused in names. On Windows, a colon refers to an alternate stream of a file. A control
 * character can hide a name.
 */
const refused = /[\p{Cc}\\:]/u;

/** Longest name. No file system allows more, and the check below takes quadratic time. */
const longest = 255;

/**
 * A name in the form in which the most lenient file system would read it. For example, `.GIT`, `.git.` and `.git` with
 * an invisible character all become `.git`.
 */
export function plainName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\p{Cf}/gu, '');
  return plain.replace(/[. ]+$/, '') || plain;
}

/**
 * Whether a name is safe as a file or directory below a folder, on every system. It must not lead elsewhere, be a
 * device, or belong to git itself, whose files determine what git runs.
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
