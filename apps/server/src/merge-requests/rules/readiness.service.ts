import type { MergeReadiness } from '@bottega/contract';
import type { Queries } from '../../foundation/db/index.ts';
import { type Block, missingApprovals } from './approvals.service.ts';

type Asked = Parameters<typeof missingApprovals>[1] & {
  /** What else keeps the request from being merged: conflicts and checks. */
  further: readonly Block[];
};

/** Everything that is missing before a request can be merged. */
export async function readinessOf(
  db: Queries,
  { further, ...asked }: Asked,
): Promise<Omit<MergeReadiness, 'can_merge'>> {
  const { state, draft } = asked.row;
  const { blocks, given, required, unknownOwners } = await missingApprovals(db, asked);
  const blocked_by = [
    ...(state === 'open' ? [] : [block('closed', `The merge request is ${state}`)]),
    ...(draft ? [block('draft', 'The merge request is a draft')] : []),
    ...blocks,
    ...further,
  ];
  const unknown_owners = unknownOwners.length > 0 ? { unknown_owners: unknownOwners } : {};
  return { ready: blocked_by.length === 0, blocked_by, approvals: { given, required }, ...unknown_owners };
}

const block = (reason: Block['reason'], message: string): Block => ({ reason, message, names: [] });
