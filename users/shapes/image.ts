import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildImage, hardened, image, imagePrograms, lacksRoot } from '../../apps/server/packaging/image.fixture.ts';
import { freePortPair } from '../../apps/server/src/testing/parts/free-port.ts';
import { missingPackages } from '../../apps/server/src/testing/parts/installed.ts';
import { openPodmanStore } from '../../apps/server/src/testing/parts/podman-store.ts';
import type { Running, Settings, Shape } from './shape.ts';
import { startService } from './start-service.ts';

/** The image that is built from the Dockerfile, run by Podman with the options of compose.yaml. */
export const builtImage: Shape = {
  name: 'image',
  lacks: () => lacksRoot() ?? missingPackages(imagePrograms),
  start: startImage,
};

const container = 'bottega';

async function startImage(settings: Settings = {}): Promise<Running> {
  // Too large for a temporary directory in memory.
  const store = await openPodmanStore('/var/tmp');
  try {
    await buildImage(store);
    const folder = join(store.directory, 'operator');
    await mkdir(folder);
    // The service in the container runs as an ordinary user.
    await chmod(folder, 0o777);
    const PORT = String(await freePortPair());
    const env = { ...store.env, PORT, BOTTEGA_PUBLIC_URL: `http://localhost:${PORT}`, ...settings };
    // Podman takes the values from its own environment.
    const passed = ['--env=PORT', '--env=BOTTEGA_*'];
    const elsewhere = ['podman', 'run', '--rm', ...hardened, ...passed, `--volume=${folder}:${folder}`];
    return await startService({
      start: [...elsewhere, `--name=${container}`, '--volume=/data', image],
      operator: {
        command: ['podman', 'exec', ...passed, container, 'bottega'],
        elsewhere: [...elsewhere, image],
        folder,
        cwd: '/',
        env,
      },
      stopped: store.close,
    });
  } catch (error) {
    await store.close();
    throw error;
  }
}
