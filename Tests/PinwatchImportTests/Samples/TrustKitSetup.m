#import <TrustKit/TrustKit.h>

static NSString *const kBackup = @"zLHjmhziH/4oRpQYPTXDwFzCvNzjZ1s1lq4RzUycONI=";

void setUpPins(void) {
    NSDictionary *configuration = @{
        kTSKSwizzleNetworkDelegates : @NO,
        kTSKPinnedDomains : @{
            @"example.com" : @{
                kTSKIncludeSubdomains : @YES,
                kTSKExpirationDate : @"2027-06-30",
                kTSKPublicKeyHashes : @[
                    @"yh1VxfHihB9ClpoJZeq8HnJMHYx3"
                    @"K0vChiEZ2YfdGsI=",
                    kBackup,
                ],
            },
            @"files.example.com" : @{kTSKExcludeSubdomainFromParentPolicy : @YES},
        },
    };
    [TrustKit initSharedInstanceWithConfiguration:configuration];
}
