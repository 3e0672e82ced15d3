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
  /** Whether the disk has none of the workspace's own files. */
  isNew: boolean;
  /** The layer that the workspace's row names. */
  layerId: string | null;
  setup: string | null;
  tree: Buffer | null;
};

/** What a workspace is built on besides its tree. */
export type Base = {
  /** The directories of the layers. */
  paths: string[];
  /** The fingerprint of the workspace's files when they were last stored. */
  fingerprint: string | null;
  /**
   * The key of the setup that must still run: a hash of everything that its result depends on. Null if no setup must
   * run.
   */
  setupKey: Buffer | null;
  /** The key of the setup whose result the files contain. */
  doneKey: Buffer | null;
};

/**
 * Finds the files that git ignores. A disk that has none of them gets those that the workspace had when it last ran, or
 * else the result of the same setup in another workspace. If these files are lost, the workspace starts without them
 * and says so.
 */
export async function openBase(tools: LayerTools, run: Run): Promise<Base> {
  const { db, noted } = tools;
  const { projectId, directory, isNew, setup, tree } = run;
  const key = setup === null ? null : await setupKeyOf(db, projectId, { setup, tree });
  const layer = isNew ? await layerFor(db, run, key) : await namedLayer(db, run);
  const fingerprint = layer?.fingerprint ?? null;
  if (!isNew) {
    const id = await noted(directory);
    // The row may name a newer layer, but the changes on this disk were made on top of the layer that the disk has
    // noted.
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

/**
 * Places the layer on this disk. Null if the layer is lost. If it cannot be read only at the moment, throws, and the
 * workspace does not start.
 */
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

/**
 * The file which notes that the setup has run for the files on this disk. Only the service can write to its directory.
 */
const setUpFile = (directory: string) => join(directory, 'run', 'set-up');

export const noteSetUp = (directory: string, key: Buffer): Promise<void> =>
  writeFile(setUpFile(directory), key.toString('hex'));

async function readSetUp(directory: string): Promise<Buffer | null> {
  const text = await readFile(setUpFile(directory), 'utf8').catch(() => '');
  return text === '' ? null : Buffer.from(text, 'hex');
}
