import { afterAll, beforeAll } from 'vitest';
import { describeWith } from '../../../testing/parts/programs.ts';
import { holdToContract } from '../driver-contract.fixture.ts';
import { type Podman, startPodman } from '../podman.fixture.ts';
import { startTestCluster, type TestCluster } from './cluster.fixture.ts';
import { kubernetesDriver } from './kubernetes-driver.ts';

describeWith(['podman', 'runc', 'tar', 'ldd', 'openssl'], 'in a pod of a cluster', () => {
  let podman: Podman;
  let cluster: TestCluster;
  beforeAll(async () => {
    podman = await startPodman();
    cluster = await startTestCluster(podman);
  });
  afterAll(async () => {
    await cluster?.close();
    await podman?.close();
  });

  holdToContract(async () => {
    const options = { ...cluster, image: podman.image, cpus: null };
    return {
      driver: kubernetesDriver({ ...options, wantsNetwork: false }),
      driverWithNetwork: kubernetesDriver({ ...options, wantsNetwork: true }),
      left: () => podman.containers(),
      close: async () => undefined,
    };
  });
});
