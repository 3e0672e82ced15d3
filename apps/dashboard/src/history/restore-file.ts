import type { CommitDetail } from '@bottega/contract';
import { call, callRaw } from '../api/client.ts';

/** Restores the file as it was after the commit, or before it if the commit deleted it. The bytes are unchanged. */
export async function restoreFile(
  projectId: string,
  file: CommitDetail['files'][number],
  commit: CommitDetail,
  message: (path: string, sha: string) => string,
): Promise<void> {
  const ref = file.status === 'deleted' ? (commit.parents[0] ?? commit.sha) : commit.sha;
  const directory = file.path.slice(0, file.path.lastIndexOf('/'));
  const params = { project_id: projectId };
  const then = await call('GET /projects/{project_id}/files', {
    params,
    query: { ref, ...(directory && { path: directory }) },
  });
  const formerFile = then.data.find(({ path }) => path === file.path);
  if (!formerFile) throw new Error(`${file.path} does not exist in that commit`);
  const answer = await callRaw('GET /projects/{project_id}/files/{file_id}/content', {
    params: { ...params, file_id: formerFile.id },
    query: { ref },
  });
  await call('PUT /projects/{project_id}/files', {
    params,
    query: { path: file.path, message: message(file.path, ref.slice(0, 8)) },
    bytes: await answer.blob(),
  });
}
