import type { Cluster } from './cluster.ts';

/** The one that closes the cluster to builds, and them to it: deploy/kubernetes/builds.yaml has it. */
const policyName = 'bottega-builds';

const needed = [
  ['batch', 'jobs', 'create'],
  ['batch', 'jobs', 'list'],
  ['batch', 'jobs', 'delete'],
  ['', 'pods', 'list'],
  ['', 'pods/exec', 'get'],
  ['', 'pods/exec', 'create'],
  ['networking.k8s.io', 'networkpolicies', 'get'],
] as const;

/** Throws with words for an operator where something is missing. */
export async function checkAccess(cluster: Cluster): Promise<void> {
  const { namespace } = cluster;
  const refused = await Promise.all(needed.map((one) => isAllowed(cluster, one).then((may) => (may ? [] : [one]))));
  const [first] = refused.flat();
  if (first) {
    const [, resource, verb] = first;
    throw new Error(`this account cannot ${verb} ${resource} in the namespace ${namespace}`);
  }
  await cluster
    .ask('GET', `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies/${policyName}`)
    .catch((error: Error) => {
      throw new Error(`builds could reach the cluster’s own services: ${error.message}`);
    });
}

async function isAllowed(cluster: Cluster, [group, name, verb]: (typeof needed)[number]): Promise<boolean> {
  const [resource, subresource] = name.split('/');
  const { namespace } = cluster;
  const review = await cluster.ask<{ status: { allowed: boolean } }>(
    'POST',
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { namespace, verb, group, resource, ...(subresource && { subresource }) } },
    },
  );
  return review.status.allowed;
}
