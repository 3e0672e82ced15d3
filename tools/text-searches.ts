import { join, relative } from 'node:path';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import {
  isCallExpression,
  isIdentifier,
  isNewExpression,
  isPropertyAccessExpression,
} from 'typescript/unstable/ast/is';
import { API, type Type, TypeFlags } from 'typescript/unstable/sync';

/**
 * Searching a tenant's text for a tenant's text with built-in functions costs the product of both lengths, and a
 * tenant's pattern may take years. So one room has both, and this finds them elsewhere. It checks types, since an array
 * has `includes` too. Literals, constants and regular expression literals are ours.
 */
const room = 'foundation/text-search/';

/** Files that search for something other than a literal, and why nobody can make it long. */
const bounded: Record<string, string> = {
  'repository/files/search.service.ts': 'at most 200 characters, whatever their case, in windows that yield',
  'templates/pattern.ts': 'one piece of a pattern without repetition, asked of one character',
  'identity/accounts/password.policy.ts': 'in lists of ours that are shorter than a password',
  'webhooks/delivery/exchange.ts': 'the code of an error in its text, both of Node',
  'dashboard/preloads.ts': 'expressions that are put together of constants when the process starts',
  'foundation/db/embedded/log-file.ts': 'the number of a process, in the lines of our own database',
  'foundation/db/embedded/postmaster.ts': 'the place of our own database, in the list of processes',
};

const ways = new Set([
  'indexOf',
  'lastIndexOf',
  'includes',
  'split',
  'replace',
  'replaceAll',
  'match',
  'matchAll',
  'search',
]);

/** `receiver` is null if a regular expression is made. */
type Suspect = { file: string; line: number; way: string; receiver: Node | null; needle: Node };

/** One line for each place; `root` is that of the repository. */
export function strayTextSearches(root: string): string[] {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProject: join(root, 'tsconfig.json') }).getProjects();
    if (!project) throw new Error(`${root} has no tsconfig.json`);
    const server = join(root, 'apps/server/src');
    const suspects = project.program.getSourceFileNames().flatMap((name) => {
      const file = relative(server, name);
      return isSearched(file) ? suspectsIn(project.program.getSourceFile(name), file) : [];
    });
    const needles = project.checker.getTypeAtLocation(suspects.map(({ needle }) => needle));
    const receivers = project.checker.getTypeAtLocation(suspects.map(({ receiver, needle }) => receiver ?? needle));
    return suspects
      .filter((_suspect, index) => isAnyText(needles[index]) && isAnyText(receivers[index]))
      .map(({ file, line, way }) => `${file}:${line} has ${way} of a text that is no literal: use ${room}`);
  } finally {
    api.close();
  }
}

const isSearched = (file: string): boolean =>
  !/^\.\.|^testing\/|\.(test|fixture)\.ts$/.test(file) && !file.startsWith(room) && !(file in bounded);

/** Whether the type is any string; a constant has its value as its type, and a regular expression is not a string. */
function isAnyText(type: Type | undefined): boolean {
  if (!type) return false;
  if (type.isUnionType()) return type.getTypes().some(isAnyText);
  return (type.flags & (TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.StringMapping)) !== 0;
}

function suspectsIn(source: SourceFile | undefined, file: string): Suspect[] {
  const suspects: Suspect[] = [];
  function visit(node: Node): void {
    const [needle] = isCallExpression(node) || isNewExpression(node) ? (node.arguments ?? []) : [];
    if (needle && source && (isCallExpression(node) || isNewExpression(node))) {
      const called = node.expression;
      const line = source.text.slice(0, needle.getStart(source)).split('\n').length;
      if (isIdentifier(called) && called.text === 'RegExp') {
        suspects.push({ file, line, way: 'RegExp', receiver: null, needle });
      } else if (isPropertyAccessExpression(called) && ways.has(called.name.text)) {
        suspects.push({ file, line, way: called.name.text, receiver: called.expression, needle });
      }
    }
    node.forEachChild(visit);
  }
  source?.forEachChild(visit);
  return suspects;
}
