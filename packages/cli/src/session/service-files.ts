import { createHash } from 'node:crypto';
import type { Bottega } from '@bottega/sdk';
import { gather } from '../project/gather.ts';

/** Undefined means main. */
type Branch = string | undefined;

/** The files of a branch by path, each with the digest of its committed content. */
export async function listServiceFiles(
  client: Bottega,
  projectId: string,
  branch: Branch,
): Promise<Map<string, string>> {
  const query = { recursive: true, type: 'file', branch, limit: 1000 } as const;
  const files = await gather(client.files.list(projectId, query));
  return new Map(files.map(({ path, checksum = '' }) => [path, checksum]));
}

export const checksumOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** The newest commit. Undefined if there is none, or if the project has no version control. */
export async function headOf(client: Bottega, projectId: string, branch: Branch): Promise<string | undefined> {
  return (await client.commits.list(projectId, { branch, limit: 1 })).data[0]?.sha;
}
