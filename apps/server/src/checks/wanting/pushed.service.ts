import type { Trx } from '../../foundation/db/index.ts';
import { AppError, type Cause } from '../../foundation/http/index.ts';
import { findTip } from '../../repository/store/index.ts';
import { definitionsIn } from '../definitions/index.ts';
import { type WantTools, wantChecks } from './want.service.ts';

type Pushed = { project: { id: string; version_control: boolean }; refs: readonly string[]; cause: Cause };

const main = 'main';

/**
 * Requests the checks of `main` after a push or a merge. A mistake in bottega.json, or too many waiting checks, do not
 * stop the push. Whoever asks for the checks later is told about it.
 */
export const wantPushed =
  (tools: WantTools) =>
  async (trx: Trx, { project, refs, cause }: Pushed): Promise<void> => {
    if (!project.version_control || !refs.includes(`refs/heads/${main}`)) return;
    const commit = await findTip(trx, project.id, main);
    if (!commit) return;
    try {
      const definitions = await definitionsIn(trx, project.id, commit.tree_sha);
      await wantChecks(trx, { project, commit, definitions, scope: main, trusted: true, cause }, tools);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  };
