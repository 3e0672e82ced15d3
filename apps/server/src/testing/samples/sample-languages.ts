import { WebSocket } from 'ws';
import { fetchLanguageServers } from '../../workspaces/languages/index.ts';
import { waitFor } from '../parts/wait-for.ts';
import { testBuildDir } from '../service/build-dir.ts';
import type { InWorkspace } from './sample-workspaces.ts';

/** Shared by all test runs on this machine. */
export const languagesOfTests = `${testBuildDir}/language-servers`;

/** Why the language servers cannot be fetched to this machine. Null if they are here. */
export const whyNoLanguages = (): Promise<string | null> =>
  fetchLanguageServers({ directory: languagesOfTests, executablePath: process.env.PATH ?? '' });

type Note = { method: string; params: Record<string, unknown> };
// biome-ignore lint/suspicious/noExplicitAny: what a language server answers has many forms.
type Answer = { result?: any; error?: { code: number; message: string } };

/** A client of a language server, with everything that it was told. */
export async function openLanguage(at: InWorkspace, language = 'typescript', key = at.user.key) {
  const path = `/v1/projects/${at.projectId}/workspaces/${at.workspace.id}/lsp/${language}/ws`;
  const ws = new WebSocket(`${at.service.url.replace('http', 'ws')}${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const notes: Note[] = [];
  const waiting = new Map<number, (answer: Answer) => void>();
  const unasked: Answer[] = [];
  let next = 1;
  ws.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Note & Answer & { id?: number };
    if (message.method) notes.push(message);
    else if (message.id && waiting.has(message.id)) waiting.get(message.id)?.(message);
    else unasked.push(message);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    ws.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject));
  const send = (message: object) => ws.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const notify = (method: string, params: unknown) => send({ method, params });
  const problemsOf = (file: string) =>
    notes.findLast(({ method, params }) => method.endsWith('publishDiagnostics') && params.uri === uriOf(file))?.params
      .diagnostics as { message: string }[] | undefined;
  return {
    ws,
    notes,
    unasked,
    closed,
    notify,
    problemsOf,
    request: (method: string, params: unknown) =>
      new Promise<Answer>((resolve) => {
        const id = next++;
        waiting.set(id, resolve);
        send({ id, method, params });
      }),
    open: (file: string, text: string, languageId = language) =>
      notify('textDocument/didOpen', { textDocument: { uri: uriOf(file), languageId, version: 1, text } }),
    change: (file: string, text: string, version = 2) =>
      notify('textDocument/didChange', { textDocument: { uri: uriOf(file), version }, contentChanges: [{ text }] }),
    untilProblem: (file: string, words: string) =>
      waitFor(`a problem with ${words}`, () => problemsOf(file)?.some(({ message }) => message.includes(words))),
  };
}

export const uriOf = (file: string): string => `file:///workspace${file}`;
