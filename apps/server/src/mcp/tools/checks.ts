import { type CommitChecks, type RequestChecks, routes } from '@bottega/contract';
import { Type } from 'typebox';
import { lineOf, showPages } from './lists.ts';
import { asRefusal, hasFailed, jsonOf, listed } from './results.ts';
import { defineTool, limit, page, projectId, routeTool } from './tool.ts';

const { ref, name, status } = routes.listCheckRuns.query.properties;

export const listChecks = defineTool({
  name: 'list_checks',
  title: 'List checks',
  description:
    'Lists the checks of a project, newest first, or those of a commit (ref) or of a merge request (number) with ' +
    'whether they are required. Read what a failed one says with read_check.',
  route: routes.listCheckRuns,
  input: Type.Object({
    project_id: projectId,
    ref,
    number: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999_999, description: 'Of a merge request' })),
    name,
    status,
    limit: limit(50, 20),
    page,
  }),
  async run({ api }, { project_id, number, ...query }) {
    const params = { project_id, number: String(number) };
    const answer =
      number === undefined
        ? await api(routes.listCheckRuns, { params, query: { limit: 20, ...query } })
        : await api(routes.listMergeRequestChecks, { params });
    if (hasFailed(answer)) return asRefusal(answer);
    if (number === undefined) return showPages('data')(jsonOf(answer), query);
    const { data, ...about } = jsonOf(answer) as RequestChecks;
    return listed({ about: 'Checks of the merge.', lines: [lineOf(about), ...data.map(lineOf)], next: () => null });
  },
});

export const runChecks = routeTool({
  name: 'run_checks',
  title: 'Run checks',
  description:
    'Runs the checks of bottega.json on a branch or a commit, and returns at once. Files that were checked before are ' +
    'not checked again. Wait for the results with read_check.',
  route: routes.runChecks,
  hints: { idempotent: true },
  fields: { project_id: projectId, ...routes.runChecks.body.properties },
  show(body) {
    const { data, ...about } = body as CommitChecks;
    return listed({ about: 'Checks of the commit.', lines: [lineOf(about), ...data.map(lineOf)], next: () => null });
  },
});
