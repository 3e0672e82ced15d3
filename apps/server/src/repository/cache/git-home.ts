import { chmod, mkdir } from 'node:fs/promises';

/** Creates git's working directory, which contains files of all tenants. If it exists, its mode is restricted too. */
export async function openGitHome(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await chmod(directory, 0o700);
}
