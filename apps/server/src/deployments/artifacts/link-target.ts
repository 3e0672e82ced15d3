import { dirname } from 'node:path';

/** Maximum number of links that are followed, as in the kernel. */
const maxLinks = 40;
const maxSteps = 1_000;

/**
 * The target of a link within the output, resolved from the texts of all links. Null if it is outside the output or
 * does not exist. An absolute link is inside if it begins with `root`, the output's path when it was packed.
 */
export function whereLinkLeads(path: string, links: ReadonlyMap<string, string>, root: string): string | null {
  let at = dirname(path) === '/' ? '' : dirname(path);
  const steps = [path.slice(at.length + 1)];
  let left = maxLinks;
  for (let count = 0; steps.length > 0; count++) {
    const step = steps.pop();
    if (count > maxSteps) return null;
    if (step === '' || step === '.' || step === undefined) continue;
    if (step === '..') {
      if (at === '') return null;
      at = at.slice(0, at.lastIndexOf('/'));
      continue;
    }
    const next = `${at}/${step}`;
    const target = links.get(next);
    if (target === undefined) {
      at = next;
      continue;
    }
    if (left-- === 0) return null;
    const isAbsolute = target.startsWith('/');
    if (isAbsolute && !`${target}/`.startsWith(`${root}/`)) return null;
    if (isAbsolute) at = '';
    steps.push(...(isAbsolute ? target.slice(root.length) : target).split('/').reverse());
  }
  return at;
}
