const withKubernetes =
  'was removed in 0.3 with the Kubernetes driver: unset it, and set BOTTEGA_BUILD_DRIVER to auto, bubblewrap or container';

/** Messages for settings of earlier versions. "Unknown setting" would look like a typing error. */
export const removedSettings = new Map([
  ['BOTTEGA_KUBERNETES_URL', withKubernetes],
  ['BOTTEGA_KUBERNETES_ACCOUNT', withKubernetes],
  ['BOTTEGA_KUBERNETES_NAMESPACE', withKubernetes],
]);
