import { join } from 'node:path';

const isBundled = !import.meta.filename.endsWith('.ts');

/**
 * A folder with files that are read and not imported. In a clone, it is at its place in the source. In the package, all
 * code is a bundle of flat files, and the folder is next to them (`packaging/bundle.ts` puts it there).
 */
export const shippedFolder = (name: ShippedFolder, inClone: string): string =>
  isBundled ? join(import.meta.dirname, name) : inClone;

export type ShippedFolder = 'agent' | 'dashboard' | 'downloads' | 'guide' | 'migrations' | 'seccomp' | 'templates';
