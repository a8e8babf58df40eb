/** For the tests of other packages: taps of NTAG 424 tags, and the key setting that verifies them. */
export { fieldsOf, tapOf, testKeysSetting } from './tags.ts';
