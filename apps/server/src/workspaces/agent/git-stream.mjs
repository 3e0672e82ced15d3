// @ts-check
import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import { doorPath } from './git-door.mjs';

/** What git runs to reach `origin`: it connects git's own streams with the service, through the agent. */

const [service = ''] = process.argv.slice(2);
// biome-ignore lint/style/noProcessEnv: the command's own variables say whose command it is.
const { BOTTEGA_GIT_TOKEN: token = '', GIT_PROTOCOL: version } = process.env;

/** @param {string} reason */
function fail(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

/** @param {string[]} args */
function ask(...args) {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

if (token === '') fail('origin can be reached only in commands and terminals that a person has started');
// The service shows a pushing git the newest of these commits that it has, and merges what others did since.
const isPush = service === 'git-receive-pack';
const branch = isPush ? ask('symbolic-ref', '--quiet', '--short', 'HEAD') : '';
const commits = branch === '' ? [] : ask('rev-list', '--first-parent', '--max-count=200', 'HEAD', '--').split('\n');

const socket = connect({ path: doorPath, allowHalfOpen: true });
socket.on('error', () => fail('the service cannot be reached; start the command again'));
socket.write(`${JSON.stringify({ token, service, version, branch, commits: commits.filter(Boolean) })}\n`);
process.stdin.pipe(socket);
process.stdout.on('error', () => process.exit(1));
let hasAnswered = false;
socket.on('data', () => {
  hasAnswered = true;
});
socket.pipe(process.stdout);
socket.on('end', () => {
  if (!hasAnswered) fail('the service has refused the connection');
  process.stdin.destroy();
  socket.destroy();
});
