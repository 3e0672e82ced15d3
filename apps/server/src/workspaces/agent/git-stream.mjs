// @ts-check
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { doorPath } from './git-door.mjs';

/** The program that git runs to reach `origin`. It connects git's own streams to the service, through the agent. */

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

/**
 * Whether a person forces the push, to replace the branch's commits. Git does not tell that to the service, so its
 * command line is read.
 */
function isForced() {
  for (let pid = process.ppid, level = 0; pid > 1 && level < 8; level++) {
    try {
      const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      if (args.includes('push')) return args.some((arg) => /^(--force|-[a-zA-Z]*f|\+)/.test(arg));
      pid = Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    } catch {
      return false;
    }
  }
  return false;
}

if (token === '') fail('origin can be reached only in commands and terminals that a person has started');
// The service shows git the newest of these commits that the branch has, and merges the push with what others did
// since.
const isPush = service === 'git-receive-pack' && !isForced();
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
