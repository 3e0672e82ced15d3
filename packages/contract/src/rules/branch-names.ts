/**
 * Whether a new branch or tag may have this name. Git accepts `@` as a branch, but reads it as HEAD in every revision,
 * so nobody could refer to such a branch.
 */
export const isValidBranchName = (name: string): boolean => name !== '@' && isGitBranchName(name);

/**
 * Whether git would create a branch with this name (`git check-ref-format --branch`). It does not check the length. The
 * caller must keep each part below the file system's limit (255 bytes with `.lock`).
 */
export function isGitBranchName(name: string): boolean {
  if (name === 'HEAD' || name.startsWith('-') || name.endsWith('.')) return false;
  if (name.includes('..') || name.includes('@{') || !name.isWellFormed()) return false;
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index);
    if (code <= 0x20 || code === 0x7f || '~^:?*[\\'.includes(name.charAt(index))) return false;
  }
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}

/**
 * Whether a name contains invisible characters that change how the rest is read, such as U+202E, which reverses the
 * text.
 */
export const deceives = (name: string): boolean => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name);

export function whyNotBranch(name: string): string | null {
  if (!isValidBranchName(name)) return 'is not a valid git branch name';
  return deceives(name) ? 'must not contain invisible characters' : null;
}
