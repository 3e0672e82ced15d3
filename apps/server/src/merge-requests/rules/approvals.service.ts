import type { MergeBlock } from '@bottega/contract';
import type { Queries } from '../../foundation/db/index.ts';
import { holdingReviews } from '../review/index.ts';
import type { RequestRow } from '../state/index.ts';
import { type OwnedFiles, ownersOf } from './owners.service.ts';
import { listMembers, type MemberRow } from './people.sql.ts';
import type { Rule } from './strictest.ts';

/** Why a request cannot be merged yet. */
export type Block = MergeBlock;

type Asked = {
  row: RequestRow;
  rule: Rule;
  /**
   * The files that the request changes since its merge base. Null if they were not determined, because no owners were
   * required.
   */
  changedPaths: readonly string[] | null;
  /** The tree of the target, which names the owners of files. */
  targetTree: Buffer;
};

type Approvals = {
  blocks: Block[];
  given: number;
  required: number;
  /** People in CODEOWNERS who cannot approve, because they are not members who can edit the project. */
  unknownOwners: string[];
};

/**
 * Determines which approvals are missing. Only the verdicts of present members who can edit the project count, and
 * never the author's. If the branch requires neither approvals nor owners, reviews are only advice. `versionWithBase`
 * must have found the merge base of the newest version before.
 */
export async function missingApprovals(db: Queries, asked: Asked): Promise<Approvals> {
  const { row, rule } = asked;
  const required = rule.approvals;
  const nothing = { blocks: [], given: 0, required, unknownOwners: [] };
  if (row.state !== 'open') return nothing;
  const { members, verdicts } = await othersOf(db, row);
  const [approved, against] = [verdicts('APPROVE'), verdicts('REQUEST_CHANGES')];
  if (required === 0 && !rule.owners) return { ...nothing, given: approved.length };
  const blocks: Block[] = [];
  const lacking = required - approved.length;
  if (lacking > 0) {
    const message = lacking === 1 ? 'One more approval is required' : `${lacking} more approvals are required`;
    blocks.push({ reason: 'approvals', message, names: [] });
  }
  if (against.length > 0) {
    const names = against.map(({ name }) => name);
    blocks.push({ reason: 'changes_requested', message: `Changes are requested by ${names.join(', ')}`, names });
  }
  const owners = rule.owners ? await missingOwners(db, asked, { members, approved }) : null;
  if (owners?.block) blocks.push(owners.block);
  return { blocks, given: approved.length, required, unknownOwners: owners?.unknown ?? [] };
}

/**
 * The members who can edit the project. `verdicts` returns those of them, without the author, who approve or request
 * changes.
 */
async function othersOf(db: Queries, row: RequestRow) {
  const members = (await listMembers(db, row.project_id)).filter(({ may_write }) => may_write);
  const reviews = await holdingReviews(db, row);
  const verdicts = (event: 'APPROVE' | 'REQUEST_CHANGES'): MemberRow[] =>
    members.filter(
      ({ id }) => id !== row.author_id && reviews.some((one) => one.event === event && one.author_id === id),
    );
  return { members, verdicts };
}

type People = { members: readonly MemberRow[]; approved: readonly MemberRow[] };

async function missingOwners(
  db: Queries,
  { row, changedPaths, targetTree }: Asked,
  { members, approved }: People,
): Promise<{ block: Block | null; unknown: string[] }> {
  const blocked = (message: string) => ({ block: { reason: 'owners' as const, message, names: [] }, unknown: [] });
  // The rule was changed after the paths were read.
  if (!changedPaths) return blocked('A rule for the branch has just been changed; try again');
  const files = await ownersOf(db, { projectId: row.project_id, tree: targetTree, changedPaths });
  if (typeof files === 'string') return blocked(files);
  const byName = new Map(
    members.flatMap((one) => [
      [`@${one.username.toLowerCase()}`, one],
      [one.email.toLowerCase(), one],
    ]),
  );
  const personOf = (owner: string) => byName.get(owner.toLowerCase());
  const unknown = new Set(files.flatMap(({ owners }) => owners.filter((owner) => !personOf(owner))));
  const unapproved = files.filter(({ owners }) => {
    // Owners who cannot approve, and the author, are left out. If no owner remains, no approval is needed for these
    // files.
    const able = owners.flatMap((owner) => personOf(owner) ?? []).filter(({ id }) => id !== row.author_id);
    return able.length > 0 && !able.some((one) => approved.includes(one));
  });
  const owners = new Set(unapproved.flatMap((one) => one.owners.filter((owner) => personOf(owner))));
  return { block: unapproved.length > 0 ? ownersBlock(unapproved, [...owners]) : null, unknown: [...unknown] };
}

const mostNamed = 50;

function ownersBlock(files: readonly OwnedFiles[], owners: readonly string[]): Block {
  const count = files.reduce((sum, one) => sum + one.count, 0);
  const others = count === 1 ? '' : ` and ${count - 1} more`;
  const message = `An owner must approve the changes to ${files[0]?.first}${others}`;
  return { reason: 'owners', message, names: owners.slice(0, mostNamed) };
}

/**
 * Whether a manager of the project other than the author approves. True if the project has no other manager, because a
 * project of one person must stay usable.
 */
export async function hasManagersApproval(db: Queries, row: RequestRow): Promise<boolean> {
  const members = await listMembers(db, row.project_id);
  const others = members.filter(({ id, may_manage }) => may_manage && id !== row.author_id);
  if (others.length === 0) return true;
  const reviews = await holdingReviews(db, row);
  return others.some(({ id }) => reviews.some((one) => one.event === 'APPROVE' && one.author_id === id));
}
