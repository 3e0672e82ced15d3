/** The nonce of this page: a style that is written at run time needs it, or the page's policy refuses the style. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
