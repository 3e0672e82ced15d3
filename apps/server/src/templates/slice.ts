import { join } from 'node:path';
import type { Slots } from '../foundation/concurrency/slots.ts';
import { ofEachPlan } from '../foundation/config/index.ts';
import type { Ground } from '../foundation/ground.ts';
import type { App } from '../foundation/http/index.ts';
import type { Slice } from '../foundation/slice.ts';
import type { GitProgram } from '../repository/cache/index.ts';
import type { Quota } from '../repository/store/index.ts';
import { loadBuiltIns } from './built-in.ts';
import { templatePreviewRoutes } from './preview.routes.ts';
import { previewSigner } from './preview-links.ts';
import { createSamples } from './samples.ts';
import { fromTemplate } from './start-project.service.ts';
import { templateGitRoutes } from './template-git.routes.ts';
import { templateRoutes } from './templates.routes.ts';

type Needs = { git: GitProgram; slots: Slots; quota: Quota };

/** Templates: sets of files with variables that a project can start with. */
export async function createTemplates(ground: Ground, { git, slots, quota }: Needs) {
  const rendering = { db: ground.db, builtIns: await loadBuiltIns(), fileLimit: ground.config.fileLimit };
  const templates = {
    ...rendering,
    publicUrl: ground.publicUrl,
    storageOfAccount: ofEachPlan(ground.config.plans, 'storedBytes'),
    samples: createSamples(rendering),
    signer: previewSigner(ground.secretKey),
  };
  return {
    fromTemplate: fromTemplate(templates, quota),
    routes: (api: App) => templateRoutes(api, templates, ground.once),
    otherRoutes(app: App) {
      templatePreviewRoutes(app, templates);
      templateGitRoutes(app, templates, { git, slots, root: join(git.home, 'templates') });
    },
  } satisfies Slice & Record<string, unknown>;
}
