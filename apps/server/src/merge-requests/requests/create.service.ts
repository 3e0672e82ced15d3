import { type CreateMergeRequest, type MergeRequest, mentionsIn } from '@bottega/contract';
import type { Trx } from '../../foundation/db/index.ts';
import { type Cause, conflict, invalid, type Principal } from '../../foundation/http/index.ts';
import { lockWritableProject } from '../../projects/index.ts';
import { mainBranch } from '../../repository/objects/ref-names.ts';
import { isReachable, resolveBranch } from '../../repository/store/index.ts';
import * as rows from '../state/index.ts';
import { keepOffer, lockForOffer, type Offer } from './offers.ts';
import { askForReview, mustBeMembers } from './people.ts';
import { addVersion } from './versions.service.ts';

type Around = { publicUrl: string; cause: Cause; offer?: Offer };

/** Offers a branch of the project or, with an offer, of a fork. Its first version is what the branch has now. */
export async function createRequest(
  trx: Trx,
  { userId }: Pick<Principal, 'userId'>,
  projectId: string,
  input: CreateMergeRequest,
  { publicUrl, cause, offer }: Around,
): Promise<MergeRequest> {
  const project = offer
    ? await lockForOffer(trx, projectId, userId, input)
    : await lockWritableProject(trx, projectId, userId);
  if (!project.version_control) throw conflict('The project is not under version control');
  const { source, target = mainBranch, title, description = '', draft = false, labels = [] } = input;
  const { reviewers = [], assignees = [] } = input;
  if (!offer && source === target) throw invalid('source', 'must be a different branch from the target');
  const [head, base] = await Promise.all([
    offer ? offer.head : resolveBranch(trx, projectId, source),
    resolveBranch(trx, projectId, target),
  ]);
  if (!head) throw invalid('source', 'is not a branch of the project');
  if (!base) throw invalid('target', 'is not a branch of the project');
  if (await isReachable(trx, projectId, head, base))
    throw invalid('source', 'has no commits that the target does not have');
  await mustBeMembers(trx, projectId, 'reviewers', reviewers);
  await mustBeMembers(trx, projectId, 'assignees', assignees);
  const from = { source, source_project_id: offer?.forkId ?? null };
  const made = { project_id: projectId, author_id: userId, ...from, target, title, description, draft, labels };
  const number = await rows.insertRequest(trx, made);
  if (number === undefined) throw conflict(rows.alreadyOpen);
  const which = { project_id: projectId, number };
  if (offer) await keepOffer(trx, project, { ...which, version: 1 }, offer);
  await addVersion(trx, which, { version: 1, head, base, pushedBy: userId });
  await rows.setPeople(trx, which, 'reviewer', reviewers);
  await rows.setPeople(trx, which, 'assignee', assignees);
  const row = await rows.findRequest(trx, projectId, number);
  if (!row) throw new Error('a merge request is gone in the transaction that made it');
  await rows.tellRequest(trx, 'merge_request.opened', row, { project, publicUrl, cause });
  // An author from outside cannot choose reviewers, so the owner is asked.
  const asked = offer && reviewers.length === 0 ? [project.owner_id] : reviewers;
  await askForReview(trx, row, asked, { userId, cause });
  const said = { authorId: userId, text: { body: description }, names: mentionsIn(description), except: asked };
  await rows.notifyOfMentions(trx, row, said, cause);
  return rows.requestView(row, publicUrl);
}
