// The pages that nearly everybody comes to, in one chunk: they share most of what they are made of, and a chunk for each would
// be many small files.

export { default as home } from './home';
export { default as missing } from './missing';
export { default as play } from './play';
export { default as settings } from './settings';
export { default as setup } from './setup';
