import { chmod, mkdir } from 'node:fs/promises';

/** The directory that git works in holds everybody's files. One that an older version or an operator made is closed too. */
export async function openGitHome(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await chmod(directory, 0o700);
}
