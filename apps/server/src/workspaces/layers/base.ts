import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonSentence } from '@bottega/contract';
import { type Db, transaction } from '../../foundation/db/index.ts';
import { LayerProblem, type LayerStore } from './layer-store.ts';
import * as rows from './layers.sql.ts';
import { setupKeyOf } from './setup-key.ts';
import { type Unpacking, unpackLayer } from './unpack-layer.ts';

export type LayerTools = Unpacking & {
  db: Db;
  store: LayerStore;
  /** Where a layer is on this disk. */
  place(projectId: string, id: string, fill: (directory: string) => Promise<void>): Promise<string>;
  note(directory: string, layerId: string | null): Promise<void>;
  noted(directory: string): Promise<string | null>;
  fileLimit: number;
  onError(error: unknown, what: string): void;
};

export type Run = {
  claim: { id: string; epoch: number };
  projectId: string;
  directory: string;
  /** The disk has none of the workspace's own files. */
  isNew: boolean;
  /** The layer that the row names. */
  layerId: string | null;
  setup: string | null;
  tree: Buffer | null;
};

/** What a workspace is built on besides its tree. */
export type Base = {
  /** The directories of the layers. */
  paths: string[];
  /** What the workspace's files were when they were last stored. */
  fingerprint: string | null;
  /** What the setup that is to be done depends on. Null if there is none to be done. */
  setupKey: Buffer | null;
  /** What the setup that has been done depended on. */
  doneKey: Buffer | null;
};

/**
 * The files that git ignores, for a disk that has none of them: those of the workspace when it last ran, or the result
 * of the same setup in another workspace. If they cannot be read, the workspace starts without them and says so.
 */
export async function openBase(tools: LayerTools, run: Run): Promise<Base> {
  const { db, noted } = tools;
  const { projectId, directory, isNew, setup, tree } = run;
  const key = setup === null ? null : await setupKeyOf(db, projectId, { setup, tree });
  const layer = isNew ? await layerFor(db, run, key) : await namedLayer(db, run);
  const fingerprint = layer?.fingerprint ?? null;
  if (!isNew) {
    const id = await noted(directory);
    // The row may name a newer layer, but what this disk changed, it changed on top of this one.
    const paths = id === null ? [] : [await tools.place(projectId, id, stored(tools, projectId, id))];
    const doneKey = await readSetUp(directory);
    return { paths, fingerprint, setupKey: doneKey ? null : key, doneKey };
  }
  const path = layer && (await placed(tools, run, layer));
  if (!path) return { paths: [], fingerprint: null, setupKey: key, doneKey: null };
  const doneKey = layer.setup_key;
  const isDone = key !== null && doneKey?.equals(key) === true;
  if (isDone) await noteSetUp(directory, key);
  return { paths: [path], fingerprint, setupKey: isDone ? null : key, doneKey };
}

const namedLayer = async (db: Db, { projectId, layerId }: Run): Promise<rows.LayerRow | undefined> =>
  layerId === null ? undefined : rows.findLayer(db, projectId, layerId);

async function layerFor(db: Db, run: Run, key: Buffer | null): Promise<rows.LayerRow | undefined> {
  const { claim, projectId, layerId } = run;
  if (layerId !== null || key === null) return namedLayer(db, run);
  return transaction(db, async (trx) => {
    const found = await rows.findSetup(trx, projectId, key);
    if (!found || !(await rows.holdLayer(trx, projectId, found.id))) return undefined;
    await rows.nameSetup(trx, claim, found.id);
    return found;
  });
}

/** Null if the layer is lost. If it only cannot be read now, the workspace cannot start either. */
async function placed(tools: LayerTools, { claim, projectId, directory }: Run, { id }: rows.LayerRow) {
  await tools.note(directory, id);
  try {
    return await tools.place(projectId, id, stored(tools, projectId, id));
  } catch (error) {
    if (!(error instanceof LayerProblem)) throw error;
    await tools.note(directory, null);
    await rows.noteLayerProblem(tools.db, claim, reasonSentence('ignored_files_missing', { detail: error.message }));
    await rows.forgetSetup(tools.db, id);
    return null;
  }
}

const stored = (tools: LayerTools, projectId: string, id: string) => async (directory: string) => {
  const layer = await rows.findLayer(tools.db, projectId, id);
  if (!layer) throw new LayerProblem('they are no longer stored');
  await unpackLayer(tools, directory, tools.store.read(projectId, layer));
};

/** Unpacks a layer on this disk, so that the next workspace finds it. */
export async function unpackAhead(tools: LayerTools, projectId: string, id: string): Promise<void> {
  await tools.place(projectId, id, stored(tools, projectId, id));
}

/** The setup has been done for the files on this disk. Only the service can write here. */
const setUpFile = (directory: string) => join(directory, 'run', 'set-up');

export const noteSetUp = (directory: string, key: Buffer): Promise<void> =>
  writeFile(setUpFile(directory), key.toString('hex'));

async function readSetUp(directory: string): Promise<Buffer | null> {
  const text = await readFile(setUpFile(directory), 'utf8').catch(() => '');
  return text === '' ? null : Buffer.from(text, 'hex');
}
