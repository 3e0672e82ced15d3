import stripJsonComments from 'strip-json-comments';
import { isRecord, type WorkspaceFile } from './declared.ts';

/** The places where the format allows the file, in the order in which they are tried. */
export const devcontainerPaths = ['/.devcontainer/devcontainer.json', '/.devcontainer.json'];

const hooks = ['onCreateCommand', 'updateContentCommand', 'postCreateCommand'] as const;
/**
 * The keys that a workspace uses, and those that have no meaning in a workspace. All others are reported as ignored.
 */
const known = new Set<string>([
  ...hooks,
  ...['postStartCommand', 'containerEnv', 'remoteEnv', 'portsAttributes', 'forwardPorts'],
  ...['$schema', 'name', 'customizations'],
]);

/**
 * What a workspace takes from a devcontainer.json: commands, variables and names of ports. Open ports are detected
 * anyway, and a sandbox shows the programs of its machine, so images and features are ignored. The first output of the
 * workspace names everything that was ignored.
 */
export function parseDevcontainer(text: string): WorkspaceFile {
  const file = parsed(text);
  if (!isRecord(file)) return fileOf({}, ['everything, because it is not valid JSON']);
  const env = { ...recordOf(file.containerEnv), ...recordOf(file.remoteEnv) };
  // These values depend on a person's machine or on an image, so they are ignored.
  const isForeign = ([, value]: [string, unknown]) => typeof value !== 'string' || value.includes('${');
  const foreign = Object.entries(env).filter(isForeign);
  const ignored = [...Object.keys(file).filter((key) => !known.has(key)), ...foreign.map(([name]) => name)];
  return fileOf(file, ignored, Object.fromEntries(Object.entries(env).filter((entry) => !isForeign(entry))));
}

function fileOf(file: Record<string, unknown>, ignored: string[], env: Record<string, unknown> = {}): WorkspaceFile {
  const setup = hooks.flatMap((hook) => commandsOf(file[hook]));
  const said = ignored.length === 0 ? [] : [`echo ${quoted(`devcontainer.json: ignored: ${ignored.join(', ')}`)}`];
  const start = [...said, ...commandsOf(file.postStartCommand)];
  return {
    setup: setup.join(' && ') || null,
    start: start.join(' && ') || null,
    env: env as Record<string, string>,
    ports: Object.fromEntries(
      Object.entries(recordOf(file.portsAttributes)).flatMap(([port, { label } = {} as never]) =>
        /^\d{1,5}$/.test(port) && typeof label === 'string' ? [[Number(port), { label: label.slice(0, 100) }]] : [],
      ),
    ),
  };
}

/** Parses JSON with comments and trailing commas, because the format allows both. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(stripJsonComments(text, { trailingCommas: true }));
  } catch {
    return undefined;
  }
}

/** A command is a text for the shell, a list of words, or an object with several commands by name. */
function commandsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (Array.isArray(value)) return [value.map((word) => quoted(String(word))).join(' ')];
  return isRecord(value) ? Object.values(value).flatMap(commandsOf) : [];
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

const recordOf = (value: unknown): Record<string, { label?: unknown }> =>
  isRecord(value) ? (value as Record<string, { label?: unknown }>) : {};
