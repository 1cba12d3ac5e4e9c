/// Material that several rooms' tests share.
package enum TestSupport {}
