/**
 * Whether git would create a branch of this name (`git check-ref-format --branch`). Length is not its concern: the
 * caller has to keep each part below what a file system takes (255 bytes with `.lock`).
 */
export function isValidBranchName(name: string): boolean {
  if (name === 'HEAD' || name.startsWith('-') || name.endsWith('.')) return false;
  if (name.includes('..') || name.includes('@{') || !name.isWellFormed()) return false;
  for (let place = 0; place < name.length; place++) {
    const code = name.charCodeAt(place);
    if (code <= 0x20 || code === 0x7f || '~^:?*[\\'.includes(name.charAt(place))) return false;
  }
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
}
