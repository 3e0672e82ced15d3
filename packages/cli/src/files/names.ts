/** Names that Windows treats as a device, whatever follows their first dot. */
const devices = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\.|$)/;
/** A colon names an alternate stream of a file on Windows; a control character can hide a name. */
const refused = /[\p{Cc}\\:]/u;

/** Longest name: no file system allows more, and the check below takes quadratic time. */
const longest = 255;

/** A name as the most lenient file system reads it: `.GIT`, `.git.` and one with an invisible character are `.git`. */
export function plainName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\p{Cf}/gu, '');
  return plain.replace(/[. ]+$/, '') || plain;
}

/**
 * Whether a name can be one file or directory below a folder, on every system. It must not lead elsewhere, be a device,
 * or belong to git itself, which decides what git runs.
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
