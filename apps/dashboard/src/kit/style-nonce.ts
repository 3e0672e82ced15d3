/** Of this very page: what writes a style at run time has to show it, or the page's policy refuses the style. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
