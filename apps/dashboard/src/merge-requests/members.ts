import type { ProjectDetail } from '@bottega/contract';

export type Member = { id: string; name: string };

/** Everybody who can be a reviewer or an assignee: the owner, and collaborators who have accepted. */
export const membersOf = ({ owner, collaborators }: ProjectDetail): Member[] => [
  { id: owner.id, name: owner.name },
  ...collaborators.filter(({ joined_at: at }) => at !== null).map(({ id, name }) => ({ id, name })),
];
