import { chmod, mkdir } from 'node:fs/promises';

/** Git's working directory holds files of all tenants. The mode of an existing directory is restricted too. */
export async function openGitHome(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await chmod(directory, 0o700);
}
