// typebox 1.4.3, joined by `npm run generate`; do not edit.
export{i as Code,n as Compile,r as Validator,t as default}from"./all.mjs";