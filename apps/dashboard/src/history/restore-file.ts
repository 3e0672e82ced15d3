import type { CommitDetail, File } from '@bottega/contract';
import { api, type List } from '../api/client.ts';

/** As it was after the commit; one that the commit deleted, as it was before. The bytes are taken as they are. */
export async function restoreFile(
  projectId: string,
  file: CommitDetail['files'][number],
  commit: CommitDetail,
  message: (path: string, sha: string) => string,
): Promise<void> {
  const ref = file.status === 'deleted' ? (commit.parents[0] ?? commit.sha) : commit.sha;
  const directory = file.path.slice(0, file.path.lastIndexOf('/'));
  const then = await api.get<List<File>>(`/projects/${projectId}/files`, {
    query: { ref, ...(directory && { path: directory }) },
  });
  const formerFile = then.data.find(({ path }) => path === file.path);
  if (!formerFile) throw new Error(`${file.path} does not exist in that commit`);
  const answer = await api.raw(`/projects/${projectId}/files/${formerFile.id}/content`, { query: { ref } });
  await api.put(`/projects/${projectId}/files`, {
    query: { path: file.path, message: message(file.path, ref.slice(0, 8)) },
    body: await answer.blob(),
    headers: { 'content-type': 'application/octet-stream' },
  });
}
