import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether the system has a program of this name. */
export const isInstalled = (name: string): boolean =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'].some((one) => existsSync(join(one, name)));
