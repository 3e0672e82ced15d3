import { isValidBranchName } from '@bottega/contract';
import { type Db, transaction } from '../../foundation/db/index.ts';
import { AppError, type Cause } from '../../foundation/http/index.ts';
import type { Proposal, Proposals } from '../../repository/smart-http/index.ts';
import { isReachable, resolveBranch } from '../../repository/store/index.ts';
import * as rows from '../state/index.ts';
import { createRequest } from './create.service.ts';

type Options = { db: Db; publicUrl(): string };
type Pusher = { userId: string; projectId: string; cause: Cause };

const longestTitle = 255;
const longestSlug = 60;

const refused = (reason: string) => new AppError('VALIDATION_ERROR', reason);

/**
 * Opens a request for commits that were pushed to `refs/for/`. The branch is named by the option `topic`, or else after
 * the title. A push with the same name is the next version.
 */
export function createProposals({ db, publicUrl }: Options): Proposals {
  return {
    async branchFor({ projectId, userId }: Pusher, proposal) {
      const { target, head } = proposal;
      const base = isValidBranchName(target) ? await resolveBranch(db, projectId, target) : undefined;
      if (!base) throw refused(`${target} is not a branch of the project`);
      if (await isReachable(db, projectId, head, base)) throw refused(`${target} already has these commits`);
      const branch = branchOf(proposal);
      if (!isValidBranchName(branch) || branch === target)
        throw refused('choose another name for the branch with -o topic=NAME');
      const [open] = await rows.openRequestsFrom(db, projectId, [branch]);
      const tip = await resolveBranch(db, projectId, branch);
      // An earlier push may have stored the branch, and then failed to open the request.
      const isTaken = !open && tip !== undefined && !tip.equals(head);
      if (isTaken || (open && open.author_id !== userId))
        throw refused(
          `the branch ${branch} is already used for something else; choose another name with -o topic=NAME`,
        );
      return branch;
    },
    async offer({ projectId, userId, cause }: Pusher, proposal, source) {
      const { target, options } = proposal;
      const found = (await rows.openRequestsFrom(db, projectId, [source])).find((one) => one.target === target);
      if (found)
        return `Merge request !${found.number} has version ${found.version}: ${rows.requestUrl(publicUrl(), found)}`;
      const input = {
        source,
        target,
        title: titleOf(proposal),
        description: descriptionOf(proposal),
        draft: options.has('draft') && options.get('draft') !== 'false',
      };
      const around = { publicUrl: publicUrl(), cause };
      const made = await transaction(db, (trx) => createRequest(trx, { userId }, projectId, input, around));
      return `Merge request !${made.number}: ${made.url}`;
    },
  };
}

const titleOf = ({ options, subject }: Proposal): string =>
  (options.get('title') || subject)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, longestTitle) || 'Changes';

/** The text without control characters. Git's client sends no U+0000, but others may. */
const descriptionOf = ({ options }: Proposal): string =>
  (options.get('description') ?? '').replaceAll(/[^\P{Cc}\n\r\t]+/gu, ' ');

const branchOf = (proposal: Proposal): string =>
  proposal.options.get('topic') ||
  titleOf(proposal)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longestSlug)
    .replaceAll(/^-+|-+$/g, '') ||
  'changes';
