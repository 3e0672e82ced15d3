import { join } from 'node:path';

const isBundled = !import.meta.filename.endsWith('.ts');

/**
 * The path of a folder whose files the service reads but does not import. In a clone, the folder is at its place in the
 * source. In the package, all code is a bundle of flat files, and the folder is next to them (`packaging/bundle.ts`
 * puts it there).
 */
export const shippedFolder = (name: ShippedFolder, inClone: string): string =>
  isBundled ? join(import.meta.dirname, name) : inClone;

export type ShippedFolder = 'agent' | 'dashboard' | 'downloads' | 'guide' | 'migrations' | 'seccomp' | 'templates';
