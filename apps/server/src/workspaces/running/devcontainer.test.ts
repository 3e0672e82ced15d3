import { describe, expect, test } from 'vitest';
import { parseDevcontainer } from './devcontainer.ts';
import { parseWorkspaceFile } from './workspace-file.ts';

describe('a devcontainer.json', () => {
  test('gives a workspace its commands, variables and port names', () => {
    const text = `{
      // Comments and trailing commas are part of the format.
      "name": "Shop",
      "onCreateCommand": "npm ci",
      "updateContentCommand": ["npm", "run", "build it"],
      "postCreateCommand": { "one": "make a", "other": ["make", "b"] },
      "postStartCommand": "npm run dev",
      "containerEnv": { "MODE": "dev" },
      "forwardPorts": [3000],
      "portsAttributes": { "3000": { "label": "Web" }, "any": { "label": "x" } },
    }`;
    expect(parseDevcontainer(text)).toEqual({
      setup: "npm ci && 'npm' 'run' 'build it' && make a && 'make' 'b'",
      start: 'npm run dev',
      env: { MODE: 'dev' },
      ports: { 3000: { label: 'Web' } },
    });
  });

  test('has its ignored settings named in the first output', () => {
    const text = `{"image": "node:22", "features": {}, "remoteEnv": {"HOME": "\${localEnv:HOME}"}, "postStartCommand": "x"}`;
    expect(parseDevcontainer(text)).toMatchObject({
      env: {},
      start: "echo 'devcontainer.json: ignored: image, features, HOME' && x",
    });
    expect(parseDevcontainer("{'").start).toContain('not valid JSON');
    expect(parseDevcontainer('[1]').start).toContain('not valid JSON');
  });

  test('cannot run anything through the name of a key', () => {
    const { start } = parseDevcontainer(`{"'; rm -rf /; echo '": 1}`);
    expect(start).toBe(`echo 'devcontainer.json: ignored: '\\''; rm -rf /; echo '\\'''`);
  });
});

describe('the ports in bottega.json', () => {
  const ofPorts = (ports: unknown) => parseWorkspaceFile(JSON.stringify({ workspace: { ports } }))?.ports;

  test('have labels, and are for their owner or for members', () => {
    expect(ofPorts({ 3000: { label: 'Web', visibility: 'members' } })).toEqual({
      3000: { label: 'Web', visibility: 'members' },
    });
  });

  test.each([[[]], [{ web: {} }], [{ 3000: 1 }], [{ 3000: { label: 1 } }], [{ 3000: { visibility: 'public' } }]])(
    'are refused if they are %j',
    (ports) => expect(() => ofPorts(ports)).toThrow('bottega.json'),
  );
});
