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
    'Lists the checks of a project, newest first. With ref, lists the checks of a commit. With number, lists the checks ' +
    'of a merge request and whether each check is required. Use read_check to see why a check failed.',
  route: routes.listCheckRuns,
  input: Type.Object({
    project_id: projectId,
    ref,
    number: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999_999, description: 'Number of a merge request' })),
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
    'Starts the checks from bottega.json on a branch or a commit, and returns immediately. A check that has already run ' +
    'on the same files does not run again. Use read_check to get the results.',
  route: routes.runChecks,
  hints: { idempotent: true },
  fields: { project_id: projectId, ...routes.runChecks.body.properties },
  show(body) {
    const { data, ...about } = body as CommitChecks;
    return listed({ about: 'Checks of the commit.', lines: [lineOf(about), ...data.map(lineOf)], next: () => null });
  },
});
