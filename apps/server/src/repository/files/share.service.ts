import type { ShareLink } from '@bottega/contract';
import { appendEvent } from '../../events/index.ts';
import type { Db, Trx } from '../../foundation/db/index.ts';
import { type Cause, notFound, type Principal } from '../../foundation/http/index.ts';
import { isId } from '../../foundation/ids.ts';
import { lockWritableProject } from '../../projects/index.ts';
import { inflateObjectAsync } from '../objects/objects.ts';
import { findById, findSharedContent, nameOf } from '../store/index.ts';
import type { Content } from './read-content.service.ts';
import type { ShareSigner } from './share-links.ts';

/** How long a link is valid if its creator specifies no time, in seconds. */
const usualSeconds = 86_400;

export async function createShareLink(
  trx: Trx,
  { userId, credential }: Principal,
  {
    projectId,
    fileId,
    expiresIn = usualSeconds,
  }: { projectId: string; fileId: string; expiresIn?: number | undefined },
  { signer, publicUrl, cause }: { signer: ShareSigner; publicUrl: string; cause: Cause },
): Promise<ShareLink> {
  const project = await lockWritableProject(trx, projectId, userId);
  const file = isId('fil', fileId) ? await findById(trx, projectId, fileId) : undefined;
  if (!file) throw notFound('File');
  const expiresAt = new Date((Math.floor(Date.now() / 1000) + expiresIn) * 1000);
  const grantId = credential.kind === 'oauth' ? credential.id : null;
  const { name, email, username } = project.actor;
  const data = {
    file_id: fileId,
    project_id: projectId,
    project_name: project.name,
    file_path: file.path,
    file_name: nameOf(file.path),
    shared_by: { name, email, username },
    expires_at: expiresAt.toISOString(),
  };
  await appendEvent(trx, { type: 'file.shared', accountId: project.owner_id, projectId, data }, cause);
  return {
    url: `${publicUrl}/shared/${signer.sign({ projectId, fileId, sharedBy: userId, grantId, expiresAt })}`,
    expires_at: expiresAt.toISOString(),
    file_id: fileId,
    path: file.path,
  };
}

export async function readShared(db: Db, signer: ShareSigner, token: string): Promise<Content & { projectId: string }> {
  const link = signer.verify(token);
  const row = link ? await findSharedContent(db, link) : undefined;
  if (!link || !row) throw notFound('Shared file');
  return { projectId: link.projectId, file: row, load: () => inflateObjectAsync(row.deflated, row.size) };
}
