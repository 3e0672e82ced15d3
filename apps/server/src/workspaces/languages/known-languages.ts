import { join } from 'node:path';
import { type WorkspaceLanguage, workspaceLanguages } from '@bottega/contract';
import { ownValue } from './messages.ts';

/** A package of the registry, with the hash of its content. */
export type Package = { name: string; version: string; integrity: string };

/** How a language's server is started and set up. */
export type KnownLanguage = {
  /** Name of the directory with this version. A new version is another directory. */
  directory: string;
  /** Null if the server does not exist for this kind of machine. */
  package: Package | null;
  /** Files whose problems are reported. */
  extensions: readonly string[];
  /** What the server asks for with `workspace/configuration`, by section. */
  settings: Record<string, unknown>;
  start(installed: string, memoryBytes: number): { command: string[]; env: Record<string, string> };
};

const compiler = { name: `@typescript/typescript-linux-${process.arch}`, version: '7.0.2' };
const compilers: Partial<Record<string, string>> = {
  x64: 'sha512-EYdf2cNg7rgCWJnxCdJ+F3V39O8ihb37eHAu1LK8oAFizgTQbPOK7zHHXbPt8rX24COqODXeI3sIf0fCXG7H/A==',
  arm64: 'sha512-Qh4eU4/y3yDjnfjjyPYihMj5/ODIlmt+Bzu17OI+fiSRDW57QmU5SiN63exPRNJPKUzcc1INa1NXdrJ+MqHjUQ==',
};
const compilerHash = compilers[process.arch];

const pyright: Package = {
  name: 'pyright',
  version: '1.1.414',
  integrity: 'sha512-FPZZb51jepDX4eP7TEYDeNFtmE3WgwkkEcJpvH3/QmUSsj0EAy3LXu+xB4T/FWDejtsXlCfFr/rbWFjwuwuXww==',
};

const mebibyte = 2 ** 20;
const packageIn = (installed: string, name: string): string => join(installed, 'node_modules', name);
/**
 * With this setting, a rename changes the name everywhere. Otherwise the server would keep the old name in imports, as
 * in `old as new`.
 */
const typescriptSettings = { preferences: { useAliasesForRenames: false } };

export const knownLanguages: Record<WorkspaceLanguage, KnownLanguage> = {
  typescript: {
    directory: `typescript-${compiler.version}`,
    package: compilerHash === undefined ? null : { ...compiler, integrity: compilerHash },
    extensions: ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'],
    settings: { 'js/ts': typescriptSettings, typescript: typescriptSettings, javascript: typescriptSettings },
    start: (installed, memoryBytes) => ({
      command: [join(packageIn(installed, compiler.name), 'lib/tsc'), '--lsp', '--stdio'],
      // Without these limits, the server would use every processor, and as much memory for garbage as the machine has.
      env: { GOMAXPROCS: '2', GOMEMLIMIT: `${Math.floor((memoryBytes * 0.8) / mebibyte)}MiB` },
    }),
  },
  python: {
    directory: `pyright-${pyright.version}`,
    package: pyright,
    extensions: ['.py', '.pyi'],
    settings: {},
    start: (installed, memoryBytes) => ({
      command: [
        '/opt/bottega/bin/node',
        `--max-old-space-size=${Math.floor((memoryBytes * 0.75) / mebibyte)}`,
        join(packageIn(installed, pyright.name), 'langserver.index.js'),
        '--stdio',
      ],
      env: {},
    }),
  },
};

/** Where a workspace sees the directory of language servers. */
export const languagesInside = '/opt/bottega/languages';

/** The language of a file by its name. */
export const languageOf = (path: string): WorkspaceLanguage | null =>
  workspaceLanguages.find((one) => knownLanguages[one].extensions.some((extension) => path.endsWith(extension))) ??
  null;

const languageIds: Record<string, string> = {
  tsx: 'typescriptreact',
  jsx: 'javascriptreact',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  py: 'python',
  pyi: 'python',
};

/** What the protocol calls the language of a file. */
export const languageIdOf = (path: string): string =>
  ownValue(languageIds, path.slice(path.lastIndexOf('.') + 1)) ?? 'typescript';
