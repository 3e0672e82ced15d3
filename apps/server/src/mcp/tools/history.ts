import { type CommitDetail, CommitListQuery, routes } from '@bottega/contract';
import { Type } from 'typebox';
import { itemsOf, lineOf } from './lists.ts';
import { asRefusal, hasFailed, jsonOf, listed } from './results.ts';
import { defineTool, limit, page, projectId, routeTool } from './tool.ts';

const { path, ref, cursor } = CommitListQuery.properties;

export const listCommits = routeTool({
  name: 'list_commits',
  title: 'List commits',
  description: 'Lists the commits of a project, a file or a branch, newest first.',
  route: routes.listCommits,
  fields: { project_id: projectId, path, ref, limit: limit(50, 20), page, cursor },
  show(body, _input, answer) {
    const { items, rest } = itemsOf(body, 'data');
    const link = /<([^>]+)>; rel="next"/.exec(answer.headers.link ?? '')?.[1];
    const next = (shown: number) => (shown < items.length ? { limit: shown } : link ? placeIn(link) : null);
    return listed({ about: rest, lines: items.map(lineOf), next });
  },
});

/** The position of the next page. */
function placeIn(link: string): Record<string, unknown> {
  const query = new URL(link).searchParams;
  const at = query.get('cursor');
  return { page: Number(query.get('page') ?? 1), ...(at && { cursor: at }) };
}

export const readCommit = defineTool({
  name: 'read_commit',
  title: 'Read a commit',
  description: 'Returns the files that a commit changed, with diffs.',
  route: routes.readCommit,
  input: Type.Object({
    project_id: projectId,
    sha: Type.String({ pattern: '^[0-9a-f]{40}$' }),
    from_line: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0 })),
  }),
  async run({ api }, { from_line: from = 0, ...params }) {
    const answer = await api(routes.readCommit, { params });
    if (hasFailed(answer)) return asRefusal(answer);
    const lines = linesOf(jsonOf(answer) as CommitDetail).slice(from);
    const next = (shown: number) => (shown < lines.length ? { from_line: from + shown } : null);
    return listed({ about: `The commit, from line ${from} of its diff.`, lines, next });
  },
});

/** A commit never changes, so a line number in it stays valid. */
const linesOf = ({ files, ...commit }: CommitDetail): string[] => [JSON.stringify(commit), ...diffLines(files)];

/** Each file in one line, and its diff in the lines after it. */
export const diffLines = (files: CommitDetail['files']): string[] =>
  files.flatMap(({ diff, ...file }) => [JSON.stringify(file), ...(diff?.split('\n') ?? ['(no text diff)'])]);
