import type { CommitDetail } from '@bottega/contract';
import { call, callRaw } from '../api/client.ts';
import { fileAt, type Place } from '../api/project.ts';

/** Restores the file as it was after the commit, or before it if the commit deleted it. The bytes are unchanged. */
export async function restoreFile(
  { projectId, ...on }: Place,
  file: CommitDetail['files'][number],
  commit: CommitDetail,
  message: (path: string, sha: string) => string,
): Promise<void> {
  const ref = file.status === 'deleted' ? (commit.parents[0] ?? commit.sha) : commit.sha;
  const params = { project_id: projectId };
  const formerFile = await fileAt(projectId, file.path, ref);
  if (!formerFile) throw new Error(`${file.path} does not exist in that commit`);
  const answer = await callRaw('GET /projects/{project_id}/files/{file_id}/content', {
    params: { ...params, file_id: formerFile.id },
    query: { ref },
  });
  await call('PUT /projects/{project_id}/files', {
    params,
    query: { path: file.path, message: message(file.path, ref.slice(0, 8)), ...on },
    bytes: await answer.blob(),
  });
}
