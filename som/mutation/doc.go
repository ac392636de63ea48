// Package mutation says what changed between two SOMs as a JSON Patch
// (RFC 6902). Arrays of regions and elements are compared by their ids, so
// that one element more or less is one operation. It is pure.
package mutation
