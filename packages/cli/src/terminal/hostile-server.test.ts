import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { useBtg } from '../testing/btg.fixture.ts';
import { hostileText, moves, useHostileServer } from '../testing/hostile-server.fixture.ts';

const btg = useBtg();

/** Every field that a command shows, with control sequences for a terminal. */
const texts = Object.fromEntries(
  [
    ...['id', 'name', 'email', 'username', 'status', 'environment', 'branch', 'url', 'live_url', 'path', 'message'],
    ...['description', 'language', 'domain', 'state', 'redirect_to', 'invite_link', 'key', 'hint', 'kind', 'event'],
    ...['session_id', 'workspace_id', 'webhook_id', 'delivery_id', 'project_id', 'checksum', 'commit_sha', 'secret'],
    ...['event_type', 'type', 'value', 'title', 'source', 'target', 'body', 'head_sha', 'merge_sha', 'project_name'],
  ].map((name) => [name, hostileText]),
);
const now = new Date().toISOString();
const one = {
  ...texts,
  ...{ created_at: now, updated_at: now, last_used_at: now, expires_at: null, is_live: true, duration: 1, size: 1 },
  ...{ subscription: { plan: hostileText }, stats: { last_activity: now }, commit: { sha: hostileText } },
  ...{ error: { type: hostileText, message: hostileText }, reason: { message: hostileText }, updated_by: texts },
  ...{ scopes: [hostileText], events: [hostileText], environments: [hostileText], level: 'info', stream: 'stdout' },
  ...{ records: [{ ...texts, is_set: false }], active: true, attempts: 1, submitted_at: now, comments: [texts] },
  ...{
    author: texts,
    reviewers: [texts],
    assignees: [texts],
    labels: [hostileText],
    files: [{ ...texts, diff: hostileText }],
  },
};
/** A check with its annotations, and a merge request with its place in the queue and what it lacks. */
const more = {
  ...{ conclusion: hostileText, command: hostileText, needs: [hostileText], tree_sha: hostileText, attempt: 2 },
  ...{ details_url: hostileText, output: { title: hostileText, summary: hostileText, annotations_count: 1 } },
  ...{ annotation_level: hostileText, start_line: 1, queue: { state: hostileText, position: 1, queued_by: texts } },
  ...{ ready: false, blocked_by: [{ message: hostileText, names: [hostileText] }], problem: hostileText },
  ...{ sha: hostileText, pattern: hostileText, checks: [hostileText], approvals: 1 },
};
const all = { ...one, ...more, run: { ...one, ...more } };
const page = { ...all, data: [all], logs: [one], has_more: false, next_cursor: null, total: 1 };

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1' });
  response.end(JSON.stringify({ error: { code: 'FORBIDDEN', message: hostileText, request_id: hostileText } }));
}

let isRefusing = false;
const server = useHostileServer(({ url = '' }, response) => {
  if (isRefusing) return refuse(response, 403);
  if (url.startsWith('/git/')) {
    response.writeHead(403, { 'content-type': 'text/plain' });
    return response.end(`${hostileText}\n`);
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  return response.end(JSON.stringify(page));
});

const commands = [
  ...[
    'whoami',
    'status',
    'projects ls',
    'projects create x',
    'projects rm prj_1',
    'projects open -p prj_1',
    'open --live',
  ],
  ...['env ls', 'env set A b', 'env rm A', 'deploy --no-follow', 'deployments ls', 'deployments logs dep_1'],
  ...['deployments cancel dep_1', 'domains ls', 'domains add a.example', 'domains check a.example', 'keys ls'],
  ...[
    'keys create x',
    'webhooks ls',
    'webhooks deliveries whk_1',
    'templates ls',
    'files ls',
    'files cat x',
    'files rm x',
  ],
  ...['ws start', 'ws ls', 'ws ports wks_1', 'ws sleep wks_1', 'ws rm wks_1 --yes'],
  ...['mr ls', 'mr ls --waiting', 'mr create --source x', 'mr view 1', 'mr view 1 --threads --diff', 'mr checkout 1'],
  ...['mr review 1 --approve', 'mr comment 1 -m x', 'mr resolve 1 mrt_1', 'mr merge 1', 'mr close 1', 'mr reopen 1'],
  ...['mr checks 1', 'mr queue', 'mr dequeue 1', 'rules ls', 'rules add x', 'rules rm brl_1 --yes'],
  ...['check ls', 'check view chk_1 --log', 'check run --ref x', 'check run --ref x --no-wait', 'check rerun chk_1'],
  ...['session start', 'session join ses_1', 'clone prj_1', 'link prj_1', 'login --token x'],
];

test.each(commands)('btg %s prints nothing from a hostile service that a terminal would obey', async (line) => {
  const args = line.split(' ');
  const env = { BOTTEGA_URL: server.url, BOTTEGA_TOKEN: 'secret', PATH: process.env.PATH ?? '', HOME: btg.home };
  for (const [isRefused, json] of [
    [false, []],
    [false, ['--json']],
    [true, []],
  ] as const) {
    isRefusing = isRefused;
    const cwd = await btg.newFolder();
    const signal = AbortSignal.timeout(10_000);
    const { stdout, stderr } = await btg([...args, '-p', 'prj_1', ...json], { env, cwd, signal });
    expect(`${stdout}${stderr}`, `${isRefused}`).not.toMatch(moves);
    expect(`${stdout}${stderr}`).not.toBe('');
  }
});
